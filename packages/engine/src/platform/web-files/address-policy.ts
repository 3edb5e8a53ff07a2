import type { BlockList } from 'node:net'
import { emptyBlockList, versionOf } from './addresses.ts'

// `BlockList` of Node compares addresses with networks: no package is needed for that. What is public is named from the
// registries of special addresses of the IANA; of IPv6 one block alone is given out to the public, and all else is refused.

/** Networks of IPv4 that lead to nobody in public. */
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The network of IPv6 that is given out to the public. */
const publicV6 = ['2000::/3']

/** Those within that are not, or carry an IPv4 address to which a gateway would lead: Teredo and 6to4. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

/** The networks, each as `address/bits` or an address of its own; throws a TypeError for what is none. */
function toNetworks(networks: readonly string[]): BlockList {
  const list = emptyBlockList()
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/')
    const family = versionOf(address)
    const most = family === 4 ? 32 : 128
    const size = bits === undefined ? most : Number(/^\d{1,3}$/.test(bits) ? bits : NaN)
    if (family === 0 || address.includes('%') || rest.length > 0 || !(size <= most)) {
      throw new TypeError(`"${network}" must be an address or a network, such as 10.0.0.0/8`)
    }
    list.addSubnet(address, size, familyOf(address))
  }
  return list
}

interface Places {
  readonly special: BlockList
  readonly open: BlockList
}

let known: Places | undefined

/** Made when the first address is asked for: most programs that start fetch nothing. */
function knownPlaces(): Places {
  known ??= { special: toNetworks([...specialV4, ...specialV6]), open: toNetworks(publicV6) }
  return known
}

/** Decides to which addresses connections are allowed: public ones, and those in networks that the operator names. */
export class AddressPolicy {
  readonly #allowed: BlockList

  /** Takes networks, each as `address/bits` or an address of its own; throws a TypeError for what is none. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = toNetworks(allowed)
  }

  /** Whether it may be connected to. What is no address, or has a zone, may not. */
  allows(address: string): boolean {
    if (versionOf(address) === 0 || address.includes('%')) return false
    const family = familyOf(address)
    if (this.#allowed.check(address, family)) return true
    const { special, open } = knownPlaces()
    if (special.check(address, family)) return false
    return family === 'ipv4' || open.check(address, family)
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return versionOf(address) === 4 ? 'ipv4' : 'ipv6'
}
