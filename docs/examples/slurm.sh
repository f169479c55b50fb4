#!/bin/bash
# Compares a fleet as a Slurm array, one shard per task. BASE and NODES are set by the caller:
#
#   job=$(BASE=origin/main NODES=nodes.snapshot sbatch --parsable slurm.sh)
#   sbatch --dependency="afterok:$job" --wrap 'puppet-analyzer diff merge results/shard-*.results --format html >report.html'
#
#SBATCH --job-name=fleet-diff
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=results/slurm-%A-%a.log
set -euo pipefail
mkdir -p results
exec srun puppet-analyzer diff --base "$BASE" --nodes "$NODES" --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --output "results/shard-$SLURM_ARRAY_TASK_ID.results"
