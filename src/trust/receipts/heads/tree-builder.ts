import { startWorker } from '../../../platform/workers/workers.ts';
import type { TreeEdge } from './head-tree.ts';
import type { TreePart } from './heads.ts';
import type { RoundOrder, RoundReport } from './worker.ts';

/** Builds a tree of journal heads in a Worker, round after round. */
export class TreeBuilder {
  private readonly worker: Worker;
  private current: PromiseWithResolvers<{ reach: number; edge: TreeEdge }> | null = null;
  private storePart: (part: TreePart) => Promise<void> = async () => undefined;

  constructor() {
    this.worker = startWorker('journalHeads', true);
    this.worker.onmessage = ({ data }: MessageEvent<RoundReport>) => void this.take(data);
    this.worker.onmessageerror = () => this.fail('its report cannot be read');
    this.worker.onerror = ({ message }) => this.fail(message);
    this.worker.addEventListener('close', () => this.fail('its Worker ended'));
  }

  /**
   * Builds a round.
   * @param store stores rows; the next ones come after it
   * @returns the newest movement that the tree has now, and its edge
   * @throws Error if the Worker or `store` fails
   */
  round(
    order: RoundOrder,
    store: (part: TreePart) => Promise<void>,
  ): Promise<{ reach: number; edge: TreeEdge }> {
    this.current = Promise.withResolvers();
    this.storePart = store;
    this.worker.postMessage(order);
    return this.current.promise;
  }

  /** Ends the Worker. */
  close(): void {
    this.worker.terminate();
  }

  private async take(report: RoundReport): Promise<void> {
    if ('done' in report) this.current?.resolve(report.done);
    else if ('failure' in report) this.fail(report.failure);
    else {
      try {
        await this.storePart(report.part);
        this.worker.postMessage('stored');
      } catch (error) {
        this.current?.reject(error);
      }
    }
  }

  private fail(reason: string): void {
    this.current?.reject(new Error(`building the tree of journal heads failed: ${reason}`));
  }
}
