const groupsOfNetwork = 4

/**
 * The block of addresses that limits count as one caller: an IPv4 address, also when it is written as an IPv6 address,
 * or the /64 network of an IPv6 address, because everybody can use all 2^64 addresses of such a network.
 */
export function toAddressBlock(address: string): string {
  const plain = address.toLowerCase().split('%')[0] as string
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = toGroups(head)
  if (tail !== undefined) {
    const last = toGroups(tail)
    while (groups.length + last.length < 8) groups.push('0')
    groups.push(...last)
  }
  return mappedAddress(groups) ?? `${groups.slice(0, groupsOfNetwork).join(':')}::/64`
}

/** The groups of hexadecimal digits without leading zeros; an IPv4 address at the end is two of them. */
function toGroups(text: string): string[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return group.replace(/^0+(?=.)/, '')
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d].map((number) => number.toString(16))
  })
}

/** The IPv4 address that an IPv6 address stands for, where it does (RFC 4291, 2.5.5.2). */
function mappedAddress(groups: readonly string[]): string | undefined {
  if (groups.length !== 8 || groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.')
}
