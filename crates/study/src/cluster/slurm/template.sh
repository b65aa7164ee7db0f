#!/bin/sh
# One task of a study by nbrevive: it carries out one batch of jobs. What a site needs goes before the last line: modules, a proxy, a scratch
# folder (SLURM_TMPDIR, or --scratch), a container around the program.

# module load nbrevive
# export NBREVIVE_LOCAL=/local/scratch/nbrevive    # environments are unpacked there, from one file each in the shared cache

# 43 says that this node does not see the shared folder.
test -r {list} || exit 43
batch=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" {list})
exec {program} study work --batch "$batch"
