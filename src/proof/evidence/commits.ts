import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import type { SourceType } from './source-types.ts';

/** The events of GitHub's that are about something else and carry the commit that it stands at. */
export const CARRIERS: readonly string[] = ['check_suite', 'workflow_run', 'merge_group'];

/**
 * The commit that an event of GitHub's carries as `head_commit`, at its top or within what it is about, and the path to it;
 * null for a payload that carries none.
 */
export function carriedCommit(payload: JsonObject): { commit: JsonObject; path: string } | null {
  for (const name of ['', ...CARRIERS]) {
    const holder = name === '' ? payload : payload[name];
    if (!isJsonObject(holder) || !isJsonObject(holder.head_commit)) continue;
    return { commit: holder.head_commit, path: name === '' ? 'head_commit' : `${name}.head_commit` };
  }
  return null;
}

/** The SHAs of all commits in a payload that fits its source type, each once. */
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
