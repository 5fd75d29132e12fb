const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** Makes the terms of a JSON-LD context. They mean the same in every installation. */
export class Vocabulary {
  /** @param iri the start of the IRI of each term */
  constructor(private readonly iri: string) {}

  /** Returns the IRI of a term. */
  term(name: string): string {
    return `${this.iri}${name}`;
  }

  /** Returns the definition of a term for values of a type of XML Schema, such as `integer`. */
  typed(name: string, type: string) {
    return { '@id': this.term(name), '@type': `${XSD}${type}` };
  }

  /** Returns the definition of a term for an object, whose members have a meaning only in it. */
  nested(name: string, members: Record<string, unknown>) {
    return { '@id': this.term(name), '@context': { '@protected': true, ...members } };
  }

  /** Returns the definition of a checkpoint of a log. */
  checkpoint(name: string) {
    return this.nested(name, {
      origin: this.typed('origin', 'string'),
      tree_size: this.typed('tree_size', 'integer'),
      root_hash: this.typed('root_hash', 'string'),
    });
  }
}

/** Returns a JSON-LD context of version 1.1 as text, whose terms others cannot redefine. */
export function contextText(terms: Record<string, unknown>): string {
  return JSON.stringify({ '@context': { '@version': 1.1, '@protected': true, ...terms } });
}
