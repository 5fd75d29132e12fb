import type { JsonObject } from '../../../proof/encoding/json.ts';

/** Descriptions of headers, by name. */
export type Headers = Readonly<Record<string, string>>;

/** The headers of a document. A header of several responses is written once. */
export class SharedHeaders {
  readonly shared: JsonObject = {};

  /**
   * Returns the headers of a response. `said`: descriptions by name. All except the `optional` ones are
   * always present.
   */
  of(said: Headers, optional: readonly string[]): JsonObject {
    return Object.fromEntries(
      Object.entries(said).map(([name, description]) => {
        const required: JsonObject = optional.includes(name) ? {} : { required: true };
        return [name, this.reference(name, { description, ...required, schema: { type: 'string' } })];
      }),
    );
  }

  private reference(name: string, header: JsonObject): JsonObject {
    const known = this.shared[name] ?? header;
    if (JSON.stringify(known) !== JSON.stringify(header)) return header;
    this.shared[name] = known;
    return { $ref: `#/components/headers/${name}` };
  }
}
