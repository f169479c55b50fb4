#!/bin/sh
# Fetches the corpus of real Puppet code: every Debian package named puppet-module-*, unpacked as
#
#   DIR/modules/<module>/      one folder per module, with the module's Puppet name; plain files, no links
#
# Usage: fetch-corpus.sh [DIR]     DIR defaults to target/corpus under the repository root.
#
# Nothing is installed. Runs as root or not; needs apt-get, apt-cache, and dpkg-deb, hence Debian or a derivative. A second
# run does nothing if DIR is complete and resumes an interrupted one.
set -eu

fail() {
    echo "fetch-corpus: $*" >&2
    exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
corpus=${1:-$here/../../target/corpus}
case $corpus in -*) fail "usage: fetch-corpus.sh [DIR]" ;; esac

for tool in apt-get apt-cache dpkg-deb; do
    command -v "$tool" >/dev/null || fail "$tool not found; the corpus can only be fetched on Debian or a derivative"
done

mkdir -p "$corpus" || fail "cannot create $corpus"
corpus=$(cd "$corpus" && pwd)

if [ -f "$corpus/complete" ]; then
    echo "fetch-corpus: $corpus is complete ($(wc -l <"$corpus/complete") packages)"
    exit 0
fi

packages=$(apt-cache pkgnames puppet-module- | LC_ALL=C sort)
[ -n "$packages" ] || fail "no package named puppet-module-* found; run 'apt-get update' first"

debs=$corpus/packages
mkdir -p "$debs"

# Only missing packages. As root, apt would otherwise download as a user without write access here.
wanted=
for package in $packages; do
    set -- "$debs/${package}_"*.deb
    [ -f "$1" ] || wanted="$wanted $package"
done
if [ -n "$wanted" ]; then
    as_root=
    [ "$(id -u)" -ne 0 ] || as_root='-o APT::Sandbox::User=root'
    # shellcheck disable=SC2086 # both are lists of words
    (cd "$debs" && apt-get -q=2 $as_root download $wanted) || fail "apt-get could not download all packages; run this script again"
fi

# Unpacked next to the target, so that modules/ is never incomplete.
unpacked=$corpus/unpacked.tmp
modules=$corpus/modules.tmp
rm -rf "$unpacked" "$modules" "$corpus/modules"
mkdir -p "$modules"
: >"$corpus/complete.tmp"
for package in $packages; do
    set -- "$debs/${package}_"*.deb
    [ $# -eq 1 ] && [ -f "$1" ] || fail "$debs does not contain exactly one file of $package"
    rm -rf "$unpacked"
    mkdir "$unpacked"
    dpkg-deb -x "$1" "$unpacked" || fail "$1 is damaged: delete it and run this script again"

    found=0
    for source in "$unpacked"/usr/share/puppet/modules.available/* "$unpacked"/usr/share/puppet/modules/*; do
        # A link is a second name of the module, whose folder is visited separately.
        [ -d "$source" ] && [ ! -L "$source" ] || continue
        # Debian's folder is called <author>-<module> or <module>, with hyphens for the underscores in a module's name.
        name=$(basename "$source")
        case $package:$name in
            puppet-module-camptocamp-augeas:*) name=augeas ;; # its folder bears another module's name
            *:puppet-community-*) name=${name#puppet-community-} ;;
            *) name=${name#puppet-module-} && name=$(echo "${name#*-}" | tr - _) ;;
        esac
        [ ! -e "$modules/$name" ] || fail "two packages contain a module named $name; the second is $package"
        mv "$source" "$modules/$name"
        found=$((found + 1))
    done
    # Debian moves a module's examples to the documentation; move them back.
    examples=$unpacked/usr/share/doc/$package/examples
    if [ -d "$examples" ]; then
        mkdir -p "$modules/$name/examples"
        cp -Rn "$examples/." "$modules/$name/examples"
    fi
    [ $found -gt 0 ] || fail "no module found in $package: unknown package layout"
    basename "$1" >>"$corpus/complete.tmp"
done
rm -rf "$unpacked"

# A link (logrotate's fixtures have some) is replaced with a copy of its target, or removed if it is dangling.
find "$modules" -type l | while read -r link; do
    if [ -e "$link" ]; then
        cp -RL "$link" "$link.copy"
        rm "$link"
        mv "$link.copy" "$link"
    else
        rm "$link"
    fi
done

mv "$modules" "$corpus/modules"
mv "$corpus/complete.tmp" "$corpus/complete"
echo "fetch-corpus: $(wc -l <"$corpus/complete") packages, $(ls "$corpus/modules" | wc -l) modules," \
    "$(find "$corpus/modules" -type f -name '*.pp' | wc -l) manifests," \
    "$(find "$corpus/modules" -type f -name '*.epp' | wc -l) EPP templates in $corpus/modules"
