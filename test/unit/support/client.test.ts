import { describe, expect, test } from 'bun:test';
import { underLoad } from '../../support/client.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a load that runs beside the body of a test', () => {
  /** Runs a body beside a load, each of which fails if it has an error. @returns what happened, in order */
  async function happened(errors: { body?: string; load?: string }): Promise<string[]> {
    const done: string[] = [];
    const fail = (error: string | undefined): void => {
      if (error !== undefined) throw new Error(error);
    };
    await underLoad(
      async (isOver) => {
        done.push('load begins');
        fail(errors.load);
        while (!isOver()) await turn();
        await turn();
        done.push('load ends');
      },
      async () => {
        await turn();
        done.push('body');
        fail(errors.body);
      },
    ).catch(({ message }: Error) => done.push(message));
    return done;
  }

  test('ends after the body', async () => {
    expect(await happened({})).toEqual(['load begins', 'body', 'load ends']);
  });

  test('is waited for when the body fails, so that it does not fail in another test', async () => {
    expect(await happened({ body: 'the server was ended' })).toEqual([
      'load begins',
      'body',
      'load ends',
      'the server was ended',
    ]);
  });

  test('fails the test when only it fails, after the body', async () => {
    expect(await happened({ load: 'answered 500' })).toEqual(['load begins', 'body', 'answered 500']);
  });

  test('does not hide the error of the body', async () => {
    const errors = { body: 'the server was ended', load: 'no connection' };
    expect(await happened(errors)).toEqual(['load begins', 'body', 'the server was ended']);
  });
});
