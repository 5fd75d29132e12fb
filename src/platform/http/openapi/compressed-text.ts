import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { sha256Hex } from '../../crypto/crypto.ts';
import { matchesEtag } from '../request/conditional.ts';
import { responseWith } from '../send-together.ts';

const CODINGS = ['br', 'gzip', 'identity'] as const;

type Coding = (typeof CODINGS)[number];

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };
const decompress = promisify(gunzip);
/** Brotli's default quality takes half a second for an OpenAPI document and saves another 4%. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * A text that is served often, stored as gzip. Every other form is made from it off the main thread when a
 * client first asks for it, and then stays in memory: decompressing for each request takes the main thread
 * four times as long as sending the text. All responses share the bytes of a form. All forms have the same
 * weak entity tag (RFC 9110 section 8.8.1).
 */
export class CompressedText {
  private readonly forms = new Map<Coding, Promise<Blob>>();

  private constructor(
    private readonly gzip: Uint8Array<ArrayBuffer>,
    private readonly etag: string,
  ) {
    this.forms.set('gzip', Promise.resolve(new Blob([gzip])));
  }

  static async of(text: string): Promise<CompressedText> {
    const bytes = new Uint8Array(await compress.gzip(text));
    return new CompressedText(bytes, `W/"${sha256Hex(text).slice(0, 32)}"`);
  }

  /**
   * Returns the response to GET: in the best coding that the request accepts, or with 304 when the client has
   * the current text.
   */
  async respond({ headers: asked }: Request, headers: Readonly<Record<string, string>>): Promise<Response> {
    const all = { ...headers, etag: this.etag, vary: 'Accept-Encoding' };
    if (matchesEtag(asked.get('if-none-match'), this.etag)) {
      const { 'content-type': _, ...ofUnchanged }: Record<string, string> = all;
      return new Response(null, { status: 304, headers: ofUnchanged });
    }
    const coding = codingFor(asked.get('accept-encoding'));
    const encoded: Record<string, string> = coding === 'identity' ? {} : { 'content-encoding': coding };
    return responseWith(await this.form(coding), { headers: { ...all, ...encoded } });
  }

  private form(coding: Coding): Promise<Blob> {
    const form = this.forms.get(coding) ?? this.made(coding);
    this.forms.set(coding, form);
    return form;
  }

  private async made(coding: Coding): Promise<Blob> {
    const plain = await decompress(this.gzip);
    return new Blob([new Uint8Array(coding === 'br' ? await compress.br(plain, BROTLI) : plain)]);
  }
}

/**
 * Returns the coding for an Accept-Encoding header. Without the header, a client may support none (RFC 9110
 * section 12.5.3 lets a server choose).
 */
function codingFor(header: string | null): Coding {
  if (header === null) return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const best = negotiator.encoding([...CODINGS], { preferred: ['br', 'gzip'] });
  return CODINGS.find((coding) => coding === best) ?? 'identity';
}
