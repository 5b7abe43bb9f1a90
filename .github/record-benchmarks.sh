#!/usr/bin/env bash
# Appends a run of the benchmarks, lines of JSON, to history.ndjson on the branch "benchmarks".
set -euo pipefail
run=$(realpath "$1")
commit=$(git rev-parse HEAD)
folder=$(mktemp -d)
if git fetch --quiet --depth 1 origin benchmarks; then
  git worktree add --quiet --detach "$folder" FETCH_HEAD
  cd "$folder"
else
  git worktree add --quiet --detach --no-checkout "$folder"
  cd "$folder"
  git checkout --quiet --orphan benchmarks
  git read-tree --empty
fi
cat "$run" >>history.ndjson
git add history.ndjson
git -c user.name='github-actions[bot]' -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
  commit --quiet --message "Benchmarks of $commit"
git push --quiet origin HEAD:refs/heads/benchmarks
