import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { anchor, demoAgent, enroll } from '../../src/trust/demo/agents.ts';
import { evidenceOf } from '../../src/trust/demo/evidence.ts';
import {
  DEMO_API_KEY,
  DEMO_CLUSTER,
  DEMO_OPERATOR_ID,
  DEMO_OTHER_KEY,
  DEMO_OTHER_OPERATOR_ID,
  DEMO_PROPOSALS,
  DEMO_SERVICE_TOKEN,
} from '../../src/trust/http/example-ids.ts';
import type { Known } from '../../test/support/recorded/known.ts';
import { Market, type Party, RAIL_SECRETS } from '../../test/support/recorded/market.ts';
import { command, type Session, served, settled } from '../../test/support/recorded/session.ts';
import { Watching } from '../../test/support/recorded/watching.ts';
import {
  type Account,
  changeAgents,
  createAccount,
  createKeys,
  provisionAccount,
  subscribe,
} from './accounts.ts';
import { rememberDemonstration } from './demonstration.ts';
import { endByOthers, hireInEveryState, hireWithOddNames } from './hires.ts';
import { rotateKeys } from './keys.ts';
import {
  earnAndSpend,
  emptyWallet,
  payByHand,
  payOnChain,
  releaseSome,
  startPayoutChain,
} from './payouts.ts';
import { Issuer, savedReceipt } from './receipts.ts';
import { buildPackages, revokeCredential, sendTelemetry, subscribeToEvents } from './records.ts';
import { negotiate, talk } from './talks.ts';

/** The common part of the names of its logs. */
export const ORIGIN = 'recorded.example';
/** The longest time for which a next key can be published before it signs: 30 days. */
const LONGEST_AHEAD = '2592000';

/** The settings of every start. */
const SETTINGS = {
  service_token: DEMO_SERVICE_TOKEN,
  'agents.pow_difficulty': '1',
  'billing.processor': 'sandbox',
  'keys.publish_ahead_seconds': '0',
  'webhooks.allow_private': 'on',
  ...Object.fromEntries(
    Object.entries(RAIL_SECRETS).map(([rail, secret]) => [`payments.settlement.${rail}.secret`, secret]),
  ),
};

/** The accounts and agents of the directory, made before its first backup. */
interface Cast {
  acme: Account;
  linked: Account;
  clerk: Party;
  auditor: Party;
  /** It is revoked after the first backup. */
  retired: Party;
  /** Receipts that the backups have as pending. */
  pending: string[];
}

/**
 * Records a data directory of the trust service: the data of the demonstration, then what the demonstration
 * does not have, with a restored backup whose log entries are recovered, and another one after which the log
 * is restarted.
 * @param root a directory for it (`trust`) and for the witness of its logs (`witness`)
 */
export async function recordTrust(root: string): Promise<Known> {
  const data = join(root, 'trust');
  const temporary = join(root, 'temporary');
  mkdirSync(temporary, { recursive: true });
  const known: Known = {
    operators: { [DEMO_OPERATOR_ID]: DEMO_API_KEY, [DEMO_OTHER_OPERATOR_ID]: DEMO_OTHER_KEY },
    agents: {},
    serviceToken: DEMO_SERVICE_TOKEN,
    keys: {},
    proposals: Object.values(DEMO_PROPOSALS),
    clusters: [DEMO_CLUSTER],
    revokedCredential: null,
    saved: null,
  };
  await served(data, {}, ['--demo', '--log-origin', ORIGIN], async () => undefined);
  // With this mark, a start without --demo refuses the directory, and a start with --demo replaces it.
  rmSync(join(data, 'demonstration'));

  const watching = new Watching(temporary, ORIGIN, join(root, 'witness'));
  const chain = await startPayoutChain();
  const serving = <T>(
    settings: Readonly<Record<string, string>>,
    task: (session: Session, market: Market) => Promise<T>,
  ): Promise<T> =>
    watching.watched(data, (policy) =>
      served(data, { ...SETTINGS, ...policy, ...settings }, [], (session) =>
        task(session, new Market(session.ask, known)),
      ),
    );
  const restore = (name: string) => command(['restore', join(temporary, name), '--force', '--data', data]);
  try {
    const cast = await serving({}, async (session, market) => {
      const made = await begin(session, market);
      await settled(session);
      await session.command('backup', join(temporary, 'first.db'));
      await goBeyondBackup(session, market, made, 'recovered');
      await settled(session);
      await command(['monitor', session.url, '--state', join(temporary, 'copy'), '--once']);
      return made;
    });
    await restore('first.db');
    await command(['recover', '--from-tiles', join(temporary, 'copy'), '--data', data]);

    await serving(chain.settings, async (session, market) => {
      await payOnChain(chain, market, cast.clerk, 'before');
      await emptyWallet(session, chain, cast.clerk);
    });
    await serving({}, async (session, market) => {
      // Of the evidence that was recovered without its payload, one item is complete again.
      await anchor(session.ask, cast.acme.key, cast.clerk.agent, ...evidenceOf('recovered', 0));
      await payByHand(session, market, cast.clerk, 'before');
      await settled(session);
      known.saved = await savedReceipt(session);
      await session.command('backup', join(temporary, 'second.db'));
      await goBeyondBackup(session, market, cast, 'lost');
      await settled(session);
    });
    await restore('second.db');
    await command(['log', 'restart', '--data', data]);
    // Publishes the first checkpoint of the new logs, whose keys the witness then gets.
    await served(data, SETTINGS, [], settled);

    await serving(chain.settings, (_, market) => payOnChain(chain, market, cast.clerk, 'after'));
    await serving({}, (session, market) => goOn(session, market, cast));
    await serving({ 'keys.publish_ahead_seconds': LONGEST_AHEAD }, async (session) => {
      for (const purpose of ['receipts', 'evidence-log'])
        await session.command('keys', 'rotate', '--yes', '--purpose', purpose);
      await settled(session);
    });
  } finally {
    await chain.stop();
  }
  rmSync(temporary, { recursive: true });
  rmSync(join(data, 'backups'), { recursive: true });
  return known;
}

/** What happens before the first backup. */
async function begin(session: Session, market: Market): Promise<Cast> {
  const { ask, command: administer } = session;
  const { known } = market;
  await rememberDemonstration(session, known);
  const acme = await createAccount(session, market, 'Acme');
  const linked = await createAccount(session, market, 'Linked and Sons');
  const suspendedAccount = await createAccount(session, market, 'Suspended');
  const free = await provisionAccount(session, market, 'Self-provisioned');
  const subscriber = await subscribe(market);
  const clerk = await market.enrolled('Recorded clerk', acme.key);
  const auditor = await market.enrolled('Recorded auditor', linked.key);
  const moving = await market.enrolled('Recorded mover', acme.key);
  const retired = await market.enrolled('Recorded agent that retires', acme.key);
  const revoked = await market.enrolled('Recorded agent that is revoked', acme.key);
  const suspended = await market.enrolled('Recorded agent of a suspended operator', suspendedAccount.key);
  const sandboxed = await market.enrolled('Recorded agent with sandbox credits', subscriber.key);
  const lone = { agent: demoAgent('Recorded agent without a sponsor'), key: DEMO_API_KEY };
  await enroll(ask, lone.agent);
  known.agents[lone.agent.commitment] = DEMO_API_KEY;

  for (const party of [clerk, revoked, suspended]) await market.grant(party.key, party, 2000, 'budget');
  await market.grant(acme.key, lone, 100);
  await market.grant(subscriber.key, sandboxed, 300);
  await createKeys(session, market, acme, clerk);
  await changeAgents(market, clerk, moving, linked);
  for (const { key } of [acme, linked, free, subscriber]) await ask('GET /api/v1/account/wallet', { key });
  await subscribeToEvents(session, acme);
  await earnAndSpend(market, clerk, auditor);

  await ask('PUT /api/v1/operator/linked', { key: linked.key, body: { linked: true } });
  for (const { id } of [acme, linked]) await administer('operators', 'stake', '--yes', id, '100000');
  const issuer = new Issuer(ask, acme.key, clerk.agent.commitment);
  const pending = [...(await issuer.everyStatus()), await issuer.issue(), await issuer.issue()];
  pending.push(...(await new Issuer(ask, linked.key, auditor.agent.commitment).everyStatus()));
  await issuer.failForEveryReason();
  await new Issuer(ask, free.key, 'agent-7').everyStatus();
  await administer('operators', 'pardon', acme.id);
  for (const body of [{ linked: false }, { linked: true }])
    await ask('PUT /api/v1/operator/linked', { key: linked.key, body });

  for (const n of [0, 2, 3, 4, 5, 7]) await anchor(ask, acme.key, clerk.agent, ...evidenceOf('recorded', n));
  await market.hire(sandboxed, auditor, 'held with sandbox credits');
  await hireInEveryState(market, clerk, auditor, 'before');
  await hireWithOddNames(market, clerk, auditor);
  const others = { hirer: clerk, worker: auditor, revoked, suspended, lone };
  await endByOthers(session, market, { ...others, suspendedOperator: suspendedAccount.id });
  await talk(market, clerk, auditor, pending[0] ?? '');
  await negotiate(market, clerk, auditor);
  await sendTelemetry(session, known, acme);
  await revokeCredential(market, clerk);
  await buildPackages(session, clerk);
  await rotateKeys(session, issuer);
  return { acme, linked, clerk, auditor, retired, pending };
}

/** What is newer than a backup that is restored afterwards. */
async function goBeyondBackup(
  { ask }: Session,
  market: Market,
  { acme, linked, clerk, auditor, retired, pending }: Cast,
  name: 'recovered' | 'lost',
): Promise<void> {
  const issuer = new Issuer(ask, acme.key, clerk.agent.commitment);
  const linkedIssuer = new Issuer(ask, linked.key, auditor.agent.commitment);
  // The backup has it as pending, and after a recovery the log has its finalization.
  await issuer.finalize(pending[name === 'recovered' ? 2 : 3] ?? '');
  for (const one of [issuer, linkedIssuer]) {
    await one.finalize(await one.issue());
    const revoked = await one.issue();
    await one.finalize(revoked);
    await one.revoke(revoked, 'It was revoked after the backup.');
  }
  for (const n of [0, 3]) await anchor(ask, acme.key, clerk.agent, ...evidenceOf(name, n));
  const unknown = demoAgent(`Recorded agent that is ${name}`);
  await enroll(ask, unknown, acme.key);
  await anchor(ask, acme.key, unknown, ...evidenceOf(unknown.name, 0));
  for (const { commitment } of name === 'recovered' ? [retired.agent, unknown] : [unknown]) {
    await ask(`POST /api/v1/passport/agents/${commitment}/revoke`, { key: acme.key, body: {} });
  }
  await market.grant(acme.key, clerk, 5, 'newer than the backup');
}

/** What happens after the last restart of the log. */
async function goOn(session: Session, market: Market, cast: Cast): Promise<void> {
  const { ask } = session;
  const { clerk, auditor, pending, acme, linked } = cast;
  const issuer = new Issuer(ask, acme.key, clerk.agent.commitment);
  const linkedIssuer = new Issuer(ask, linked.key, auditor.agent.commitment);
  const [first = '', second = '', , , third = '', fourth = ''] = pending;
  await issuer.finalize(first);
  await issuer.revoke(second, 'It was issued before the log was restarted.');
  await linkedIssuer.finalize(third);
  await linkedIssuer.finalize(fourth);
  await linkedIssuer.revoke(fourth, 'It was issued before the log was restarted.');
  await issuer.everyStatus();
  await linkedIssuer.everyStatus();
  for (const n of [10, 12, 13, 14, 15])
    await anchor(ask, acme.key, clerk.agent, ...evidenceOf('recorded', n));
  await hireInEveryState(market, clerk, auditor, 'after');
  await talk(market, clerk, auditor, first);
  await negotiate(market, clerk, auditor);
  await buildPackages(session, clerk);
  await releaseSome(session);
  await payByHand(session, market, clerk, 'after');
  await rotateKeys(session, issuer);
}
