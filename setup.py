from setuptools import setup
from Cython.Build import cythonize
from setuptools import Extension
mods = ["position","endings","perft","evaluation"]
setup(ext_modules=cythonize([Extension(f"taflengine.core.{m}", [f"taflengine/core/{m}.py"], extra_compile_args=["-O3"]) for m in mods], compiler_directives=dict(language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False), annotate=True))
