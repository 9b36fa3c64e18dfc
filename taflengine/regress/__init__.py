"""Regression tests of engines that speak GTP, in the format of GoGui's tool."""
