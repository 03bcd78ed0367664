#!/usr/bin/env bash
# Installs the judges that need no GPU into `.judges/` of the checkout: NVIDIA's compilers and Warp from PyPI, in a virtual
# environment, and the C++ compilers, a driver for Vulkan and the headers of HIP from Debian.
set -euo pipefail
source "$(dirname "$0")/lib/install.sh"

# Pinned versions: a judge that changes by itself proves nothing. docs/judges.md gives the reasons.
python_packages=(
    warp-lang==1.19.0
    numpy==2.4.6
    nvidia-cuda-nvrtc==13.5.37
    nvidia-cuda-nvcc==13.5.37
    nvidia-nvvm==13.5.37
    nvidia-cuda-crt==13.5.37
    nvidia-cuda-runtime==13.5.37
    nvidia-cuda-cccl==13.3.5.0.6
)

# The headers of HIP, for clang's pass for AMD GPUs. Nothing else of the package is needed, nor what it depends on.
hip_package=libamdhip64-dev

# The systems that scripts/torture.sh compares gradients with, besides Warp.
peer_packages=(
    quadrants==1.3.3
    taichi==1.7.4
    drjit==1.5.0
    jax==0.10.2
    # Depends on the CUDA libraries, 4 GB in all. Its wheel cannot be imported without them.
    torch==2.15.0
    numpy==2.4.6
)
# LLVM for Dr.Jit. Older versions cannot compile all of its code.
llvm_package=libllvm19

usage() {
    cat <<END
Usage: scripts/install-judges.sh [--peers] [--help]

Installs into .judges/ of the checkout, or into \$WEFT_JUDGES if that is set:
$(printf '  %s\n' "${python_packages[@]}")
and the headers of HIP ($hip_package), if the distribution has them;
and g++, clang and a driver for Vulkan from the distribution if they are missing, which needs root.
With --peers also, into .judges/peers:
$(printf '  %s\n' "${peer_packages[@]}")
and $llvm_package from Debian into .judges/llvm, if the distribution has it.
Does nothing where all of it is there.
END
}

peers=no
case "${1:-}" in
    "") ;;
    --peers) peers=yes ;;
    -h | --help)
        usage
        exit
        ;;
    *) fail "unknown argument \`$1\`; --help shows what there is" ;;
esac

# Whether the C++ compiler $1 is installed, with its sanitizers.
compiles() {
    echo 'int main() {}' | "$1" -x c++ -fsanitize=address,undefined -o /dev/null - 2>/dev/null
}

missing=()
compiles g++ || missing+=(g++)
compiles clang++ || missing+=(clang libclang-rt-dev)
# A driver for Vulkan runs the texts in WGSL: that of a GPU, or one in software.
compgen -G '/usr/share/vulkan/icd.d/*.json' >/dev/null || missing+=(mesa-vulkan-drivers libvulkan1)
if ((${#missing[@]})); then
    command -v apt-get >/dev/null || fail "install ${missing[*]} with your package manager"
    ((EUID == 0)) || fail "run as root: apt-get install ${missing[*]}"
    # The package lists may be old or missing, so update them if the installation fails.
    apt-get install --yes --quiet --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
        { apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends "${missing[@]}"; } >/dev/null ||
        fail "apt-get cannot install ${missing[*]}"
fi

folder=${WEFT_JUDGES:-$(cd "$(dirname "$0")/.." && pwd)/.judges}

# Unpacks the package $1 of the distribution into the folder $2, without what it depends on.
unpack() {
    (cd "$2" && { apt-get download --quiet "$1" || { apt-get update --quiet && apt-get download --quiet "$1"; }; } &&
        dpkg -x ./*.deb .) >/dev/null 2>&1
}

if [[ ! -f $folder/hip/include/hip/hip_runtime.h ]]; then
    scratch=$(mktemp -d)
    if unpack "$hip_package" "$scratch"; then
        mkdir -p "$folder/hip"
        cp -r "$scratch/usr/include" "$folder/hip/"
    else
        echo "no $hip_package here: the judge \`hip\` is missing" >&2
    fi
    rm -rf "$scratch"
fi

# Installs the systems of --peers in a virtual environment of their own.
install_peers() {
    local stamp="$folder/peers.stamp" scratch
    if is_complete "$stamp" "${peer_packages[@]}" "$llvm_package"; then
        echo "the peers in $folder/peers are complete"
        return
    fi
    mkdir -p "$folder/llvm"
    rm -f "$stamp"
    install_python_packages "$folder/peers" "${peer_packages[@]}"
    scratch=$(mktemp -d)
    if unpack "$llvm_package" "$scratch"; then
        find "$scratch" -name 'libLLVM*' -type f -exec cp {} "$folder/llvm/libLLVM.so" \;
    else
        echo "no $llvm_package here: Dr.Jit takes the LLVM that it finds" >&2
    fi
    rm -rf "$scratch"
    stamp_of "${peer_packages[@]}" "$llvm_package" >"$stamp"
    echo "installed the peers in $folder/peers"
}
[[ $peers == no ]] || install_peers
stamp="$folder/stamp"
if is_complete "$stamp" "${python_packages[@]}"; then
    echo "the judges in $folder are complete"
    exit
fi

rm -f "$stamp"
install_python_packages "$folder/venv" "${python_packages[@]}"

# One path for every version of Python, in the layout of CUDA_HOME.
cuda=("$folder"/venv/lib/python3*/site-packages/nvidia/cu13)
[[ -d ${cuda[0]} ]] || fail "the packages of NVIDIA are not where they are expected, in ${cuda[0]}"
ln -sfn "${cuda[0]#"$folder"/}" "$folder/cuda"
stamp_of "${python_packages[@]}" >"$stamp"
echo "installed the judges in $folder"
