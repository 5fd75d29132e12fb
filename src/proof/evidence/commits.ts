import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import type { SourceType } from './source-types.ts';

/** The payload members in which a GitHub event that is not about a commit carries its `head_commit`. */
export const CARRIERS: readonly string[] = ['check_suite', 'workflow_run', 'merge_group'];

/**
 * Returns the `head_commit` of a GitHub event, at the top level or in one of `CARRIERS`, and its path; null
 * for a payload without one.
 */
export function carriedCommit(payload: JsonObject): { commit: JsonObject; path: string } | null {
  for (const name of ['', ...CARRIERS]) {
    const holder = name === '' ? payload : payload[name];
    if (!isJsonObject(holder) || !isJsonObject(holder.head_commit)) continue;
    return { commit: holder.head_commit, path: name === '' ? 'head_commit' : `${name}.head_commit` };
  }
  return null;
}

/** Returns the distinct SHAs of all commits in a payload that matches its source type. */
export function commitsIn(sourceType: SourceType, payload: JsonObject): string[] {
  switch (sourceType) {
    case 'github_push_webhook': {
      const commits = Array.isArray(payload.commits) ? payload.commits : [];
      return distinct([...commits.map(idOf), idOf(payload.head_commit)]);
    }
    case 'github_commit_payload':
      return distinct([payload.sha ?? idOf(carriedCommit(payload)?.commit ?? payload)]);
    default:
      return [];
  }
}

function idOf(commit: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(commit) ? commit.id : undefined;
}

function distinct(ids: readonly (JsonValue | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}
