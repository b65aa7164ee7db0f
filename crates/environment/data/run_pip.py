"""Runs a pip from elsewhere for an environment of which nothing runs.

Started as `INTERPRETER -S -s -E -c THIS PIP ENVIRONMENT PACKAGES MODE ARGUMENTS...` by the interpreter that the environment was made
with, Python 2.7 or later. What is installed in PACKAGES is seen by pip, but cannot be imported: neither `.pth` files nor modules nor a
pip of its own. In the mode `wheels` nothing is built: no program is started, and no distribution brings another from an address.
"""
import sys

# The current folder stands first.
del sys.path[0]
pip, environment, packages, mode = sys.argv[1:5]
sys.argv = ["pip"] + sys.argv[5:]

# What the start of a virtual environment sets.
if not hasattr(sys, "base_prefix"):
    sys.real_prefix = sys.prefix
sys.prefix = sys.exec_prefix = environment
sys.executable = environment + "/bin/python"

import types

if sys.version_info[0] == 2:
    # Python 2 looks at the environment's packages when the module is imported.
    site = types.ModuleType("site")
    site.__file__ = types.__file__
    site.ENABLE_USER_SITE = False
    site.USER_BASE = site.USER_SITE = "/nonexistent"
    sys.modules["site"] = site


class Nothing(object):
    """Finds no module."""

    def find_spec(self, name, target=None):
        return None

    def find_module(self, name, path=None):
        return None

    def invalidate_caches(self):
        pass


sys.path.insert(0, pip)

from pip._vendor.packaging import requirements
from pip._vendor import pkg_resources

pkg_resources.register_finder(Nothing, pkg_resources.find_on_path)
sys.path_importer_cache[packages] = Nothing()
sys.path.append(packages)
pkg_resources.working_set.add_entry(packages)

if mode == "wheels":
    import subprocess

    read = requirements.Requirement.__init__

    def named(self, text):
        read(self, text)
        if self.url:
            raise requirements.InvalidRequirement("%r names an address, and distributions come from the index" % str(text))

    def started(*arguments, **options):
        raise OSError("nothing is built outside of the sandbox")

    requirements.Requirement.__init__ = named
    subprocess.Popen.__init__ = started

from pip._internal.cli.main import main

sys.exit(main(sys.argv[1:]))
