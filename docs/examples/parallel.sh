#!/bin/sh
# Compares a fleet with GNU parallel, which also runs shards on other machines (`--sshlogin`) and retries them:
#
#   parallel.sh BASE NODES SHARDS
#
# With `--sshlogin`, the repository, the facts, and `results` must have the same path on all machines (`--workdir .`).
# The exit code is that of `diff merge`: 1 if catalogs differ.
set -eu
base=$1 nodes=$2 shards=$3
mkdir -p results
seq "$shards" | parallel --jobs 100% --retries 3 --halt soon,fail=1 --joblog results/jobs.log \
  puppet-analyzer diff --base "$base" --nodes "$nodes" --threads 1 --shard "{}/$shards" --output "results/shard-{}-of-$shards.results"
puppet-analyzer diff merge results/shard-*-of-"$shards".results --format html >report.html
