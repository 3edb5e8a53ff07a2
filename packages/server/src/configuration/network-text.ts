import { isIP } from 'node:net'

/** Whether the text is an address, or a network in CIDR notation other than the one of all addresses. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return false
  if (bits === undefined) return true
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}
