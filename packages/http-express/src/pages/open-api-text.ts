import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { openApiSteps } from '@gateleg/contract/openapi/openapi'
import { operations } from '@gateleg/contract/operations'
import { madeOnce } from '@gateleg/domain/structures/made-once'

type Encoding = 'br' | 'gzip' | 'identity'

const compressions: Readonly<Record<Encoding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
  identity: async (text) => text,
}

/**
 * The description of the operations, made when it is first asked for, which takes longer than the rest of the start: in
 * turns with other work, and compressed once.
 */
export class OpenApiText {
  readonly #serverUrl: string
  readonly #giveWay: () => Promise<unknown>
  readonly #text = madeOnce(() => this.#make())
  readonly #encoded = {
    br: this.#encodedBy('br'),
    gzip: this.#encodedBy('gzip'),
    identity: this.#encodedBy('identity'),
  }

  constructor(serverUrl: string, giveWay: () => Promise<unknown>) {
    this.#serverUrl = serverUrl
    this.#giveWay = giveWay
  }

  /** Its bytes in an encoding. */
  get(encoding: Encoding): Promise<Buffer> {
    return this.#encoded[encoding]()
  }

  #encodedBy(encoding: Encoding): () => Promise<Buffer> {
    return madeOnce(async () => compressions[encoding](await this.#text()))
  }

  async #make(): Promise<Buffer> {
    const steps = openApiSteps(operations, { serverUrl: this.#serverUrl })
    for (;;) {
      const step = steps.next()
      if (step.done) return Buffer.from(JSON.stringify(step.value))
      await this.#giveWay()
    }
  }
}
