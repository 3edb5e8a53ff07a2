import { FetchRefusal } from '@gateleg/domain/attachments/files/file-fetcher'
import { AddressPolicy } from './address-policy.ts'
import { versionOf } from './addresses.ts'
import { type ResolveName, resolveName } from './resolve-name.ts'

export interface OpenPlacesOptions {
  /** Networks that are open beside the public ones, such as `10.0.0.0/8`. */
  readonly allow?: readonly string[]
  /** Finds the addresses of names; DNS when not given. */
  readonly resolve?: ResolveName
}

/** Addresses of one name that are tried: those of the largest services. */
const addressesMax = 8

/** What an address that is not open is refused with: the same whatever is there, and where a name has no address at all. */
const notPublic = 'must lead to a public address'

/** Finds the addresses that a URL leads to, and refuses those that are not open to any caller. */
export class OpenPlaces {
  readonly #policy: AddressPolicy
  readonly #resolve: ResolveName

  /** Throws a TypeError for networks that are none. */
  constructor({ allow, resolve }: OpenPlacesOptions = {}) {
    this.#policy = new AddressPolicy(allow)
    this.#resolve = resolve ?? resolveName
  }

  /** The addresses of what the URL names, all of them open; the name is looked up once. Throws a `FetchRefusal`. */
  async addressesOf({ hostname }: URL, signal: AbortSignal): Promise<readonly string[]> {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = versionOf(bare) === 0 ? await this.#resolve(bare, signal) : [bare]
    signal.throwIfAborted()
    const isOpen = addresses.every((address) => this.#policy.allows(address))
    if (addresses.length === 0 || !isOpen) throw new FetchRefusal(notPublic)
    return addresses.slice(0, addressesMax)
  }
}
