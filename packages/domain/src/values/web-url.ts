import { limits } from '../limits.ts'
import { storableTextUpTo } from './storable-text.ts'

/** The URL of a page or a picture somewhere else, kept as it is sent. */
export const webUrlSchema = storableTextUpTo(limits.shortTextLength).refine(
  isWebUrl,
  'must be a URL that begins with https:// or http://, with a host as the DNS or IP has them, without a user or a password',
)

/** Whether the text is such a URL as it stands. */
export function isWebUrl(value: string): boolean {
  // A parser mends what is no URL: leading spaces, line breaks, backslashes, missing slashes. What is kept is a URL as it stands.
  if (!/^https?:\/\/[^\s\\/]/i.test(value) || /[\s\p{Cc}]/u.test(value)) return false
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && hostForm.test(hostname) && `${username}${password}` === ''
}

/**
 * A DNS name, IPv4 or IPv6 in brackets, as a parser writes them: in ASCII, with small letters. It takes other characters for parts of
 * a name, too, such as `;`, `,` and `*`, which no host has, and which mean something where hosts are listed.
 */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)$/
