import { expect, test } from 'bun:test';
import pino from 'pino';
import { LimitedLog } from '../../../../../src/platform/monitoring/log-limit.ts';
import { taskChanges } from '../../../../../src/trust/hires/escrow/changes.ts';
import { FORM_10 } from '../../../../../src/trust/protocols/a2a/streams/form.ts';
import { TaskStreams } from '../../../../../src/trust/protocols/a2a/streams/task-streams.ts';
import { findFollowed } from '../../../../../src/trust/protocols/a2a/tasks/read.ts';
import { a2aClient } from '../../../../support/a2a.ts';
import { openMarket } from '../../../../support/engagements.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

test('a change at any moment of telling of the one before is told too', async () => {
  const time = new VirtualTime();
  const market = await openMarket({}, time);
  const { store, principals } = market.app.service.trust;
  let reads = 0;
  const counted: Pick<typeof store, 'read'> = {
    read: (body) => {
      reads += 1;
      return store.read(body);
    },
  };
  const failures = new LimitedLog(pino({ level: 'silent' }));
  const all = new TaskStreams({ store: counted, principals, failures }, { all: 10, ofCaller: 10 });
  const terms = {
    ...{ skill: 'hire_agent', amount: 10 },
    ...{ hirer_commitment: market.hirer.commitment, worker_commitment: market.worker.commitment },
  };
  const own = a2aClient(market.app.fetch, 'http://localhost', market.app.apiKey);
  const id = String((await own.send([{ data: terms }])).id);
  const change = () => taskChanges.changedIn({ afterCommit: (tell) => void tell() }, id);
  /** Runs after so many jobs of the queue of promises, within one turn of the event loop. */
  const afterJobs = async (jobs: number, act: () => void): Promise<void> => {
    for (let job = 0; job < jobs; job++) await null;
    act();
  };
  const settled = async () => {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  let told = (): void => undefined;
  const authority = {
    isActive: async () => {
      told();
      return true;
    },
  };
  const followed = await findFollowed({ store }, null, id, false);
  const request = { id: '1', form: FORM_10, endsAtInput: false, authority, ...followed };
  const stream = await all.open(id, request, () => undefined);
  const lost: number[] = [];
  for (let jobs = 0; jobs < 24; jobs++) {
    let readsThen = Number.POSITIVE_INFINITY;
    told = () => {
      told = () => undefined;
      void afterJobs(jobs, () => {
        readsThen = reads;
        change();
      });
    };
    time.advance(10);
    await market.deliver(market.worker, id, { outcome: 'failure', reason: String(jobs) });
    await settled();
    if (reads <= readsThen) lost.push(jobs);
  }
  expect(lost).toEqual([]);
  all.stop();
  await stream.cancel();
  await market.app.close();
});
