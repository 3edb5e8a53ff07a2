const mappedPrefix = '::ffff:'
const groupsOfNetwork = 4

/**
 * What one party holds of the addresses of the Internet, as far as limits are concerned: an IPv4 address,
 * or the /64 network of an IPv6 address, of which anybody has 2^64 addresses to spend.
 */
export function toAddressBlock(address: string): string {
  const plain = address.toLowerCase().split('%')[0] as string
  if (!plain.includes(':')) return plain
  if (plain.startsWith(mappedPrefix) && plain.includes('.')) return plain.slice(mappedPrefix.length)
  const [head = '', tail] = plain.split('::')
  const groups = toGroups(head)
  if (tail !== undefined) {
    const last = toGroups(tail)
    while (groups.length + last.length < 8) groups.push('0')
    groups.push(...last)
  }
  return `${groups.slice(0, groupsOfNetwork).join(':')}::/64`
}

function toGroups(text: string): string[] {
  if (text === '') return []
  return text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
