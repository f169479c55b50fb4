#!/bin/sh
# Compares a fleet on the cores of one machine, with xargs:
#
#   xargs.sh BASE NODES SHARDS
#
# A second run only compares shards without results for the same code and facts.
# The exit code is that of `diff merge`: 1 if catalogs differ.
set -eu
base=$1 nodes=$2 shards=$3
mkdir -p results
seq "$shards" | xargs -P "$(nproc)" -I{} \
  puppet-analyzer diff --base "$base" --nodes "$nodes" --threads 1 --shard "{}/$shards" --output "results/shard-{}-of-$shards.results"
puppet-analyzer diff merge results/shard-*-of-"$shards".results --format html >report.html
