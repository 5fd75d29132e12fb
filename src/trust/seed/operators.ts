import { derivedHex } from '../../platform/test-service/seed/names.ts';
import type { Path } from '../../platform/test-service/seed/read-seed.ts';
import { createOperator } from '../operators/create-operator.ts';
import { adjustPool } from '../pages/dashboard/adjust-pool.ts';
import { setAccountStatus } from '../pages/dashboard/set-account-status.ts';
import { setStake } from '../pages/dashboard/set-stake.ts';
import type { Scene } from './scene.ts';
import { type EntryOf, FIRST } from './schema.ts';

/** Adds the operators of a seed, which administrators create. */
export function addOperators(scene: Scene): void {
  for (const [label, operator] of Object.entries(scene.seed.content.operators ?? {})) {
    const path = ['operators', label];
    if (label === FIRST) refuseOwn(scene, operator, path);
    else scene.chronology.add(operator.at, path, () => create(scene, label, operator, path));
    scene.chronology.add(operator.at, path, () => endow(scene, label, operator, path));
  }
}

/** Adds the API keys of operators, after the agents that holder keys are for. */
export function addApiKeys(scene: Scene): void {
  for (const [operator, { api_keys = {} }] of Object.entries(scene.seed.content.operators ?? {})) {
    for (const [label, key] of Object.entries(api_keys)) {
      const path = ['operators', operator, 'api_keys', label];
      scene.chronology.add(key.at, path, () => createKey(scene, operator, label, key, path));
    }
  }
}

/** Adds what operators are at the end. A suspended one can do nothing that a seed has. */
export function addStatuses(scene: Scene): void {
  for (const [label, { status }] of Object.entries(scene.seed.content.operators ?? {})) {
    if (status === undefined) continue;
    const path = ['operators', label, 'status'];
    const { operatorId } = scene.operator(label, path);
    scene.chronology.add('now', path, async () => {
      await setAccountStatus(scene.trust, operatorId, status);
    });
  }
}

/** @throws Failure for what only other operators can have */
function refuseOwn({ seed }: Scene, operator: EntryOf<'operators'>, path: Path): void {
  for (const member of ['operator_id', 'api_key', 'name', 'admin', 'at'] as const) {
    if (operator[member] === undefined) continue;
    const message =
      'is not allowed: the service itself creates this operator, with the key of the ready file';
    throw seed.problemAt([...path, member], message);
  }
}

async function create(
  scene: Scene,
  label: string,
  { name = label, admin = false }: EntryOf<'operators'>,
  path: Path,
): Promise<void> {
  const { operatorId, apiKey } = scene.operator(label, path);
  scene.ids.reserve(operatorId, apiKey);
  await createOperator(scene.trust, { name, admin });
}

async function endow(
  scene: Scene,
  label: string,
  { stake_cents, credits }: EntryOf<'operators'>,
  path: Path,
): Promise<void> {
  const { operatorId } = scene.operator(label, path);
  if (stake_cents !== undefined) await setStake(scene.trust, operatorId, stake_cents);
  if (credits !== undefined)
    await adjustPool(scene.trust, operatorId, { amount: credits, class: 'promotional' });
}

async function createKey(
  scene: Scene,
  operator: string,
  label: string,
  { api_key, name = label, role, agent, admin, scope }: NonNullable<EntryOf<'operators'>['api_keys']>[string],
  path: Path,
): Promise<void> {
  scene.ids.reserve(api_key ?? `pp_${derivedHex('API key', `${operator} ${label}`)}`);
  await scene.ask('POST /api/v1/operator/api-keys', {
    key: scene.operator(operator, path).apiKey,
    body: {
      name,
      role,
      subject_commitment: agent === undefined ? undefined : scene.agent(agent, [...path, 'agent']).commitment,
      admin,
      scope,
    },
  });
}
