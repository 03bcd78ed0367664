# Functions of the scripts that install programs for this checkout; they source this file.

fail() {
    echo "error: $1" >&2
    exit 1
}

# Whether the stamp $1 stands for these packages: all of them are installed.
is_complete() { # stamp, packages
    local stamp=$1
    shift
    [[ -f $stamp && $(<"$stamp") == "$(stamp_of "$@")" ]]
}

# The contents of the stamp of these packages.
stamp_of() { # packages
    printf '%s\n' "$@" | sha256sum | cut -d ' ' -f 1
}

# Installs packages from PyPI into the virtual environment $1.
install_python_packages() { # environment, packages
    local environment=$1
    shift
    command -v python3 >/dev/null || fail "python3 is missing"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11"
    mkdir -p "$(dirname "$environment")"
    [[ -x $environment/bin/pip ]] || python3 -m venv --clear "$environment" ||
        fail "python3 cannot make virtual environments; install python3-venv"
    "$environment/bin/pip" install --quiet --disable-pip-version-check "$@" || fail "pip cannot install the packages"
}
