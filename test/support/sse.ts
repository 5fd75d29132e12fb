/** Reads the events of a stream of Server-Sent Events, one by one. */
export class SseReader {
  private readonly reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;
  private readonly decoder = new TextDecoder();
  private text = '';

  constructor(readonly response: Response) {
    if (response.body === null) throw new Error('the response has no body');
    this.reader = response.body.getReader();
  }

  /** Returns the JSON of the next event; null at the end. Comments are skipped. */
  async next(): Promise<Record<string, unknown> | null> {
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end === -1) {
        const { done, value } = await this.reader.read();
        if (done) return null;
        this.text += this.decoder.decode(value, { stream: true });
        continue;
      }
      const event = this.text.slice(0, end);
      this.text = this.text.slice(end + 2);
      if (event.startsWith('data: ')) return Object(JSON.parse(event.slice('data: '.length)));
    }
  }

  /** Returns all events until the end. */
  async rest(): Promise<Record<string, unknown>[]> {
    const events: Record<string, unknown>[] = [];
    for (let event = await this.next(); event !== null; event = await this.next()) events.push(event);
    return events;
  }

  /** Leaves. */
  close(): Promise<void> {
    return this.reader.cancel();
  }
}
