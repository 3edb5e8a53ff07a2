import { toStorable } from '../../values/storable-text.ts'

/** Characters of a file's name that are kept. */
const nameLength = 255

/** What a file without a usable name is called. */
const nameless = 'file'

/**
 * The name of a file as people see it: the last part of a path, without control characters and without what turns the
 * direction of text, so that none looks like another; cut where it is too long, but for its ending.
 */
export function toFileName(given: string): string {
  const [last = ''] = toStorable(given.slice(-16_384)).split(/[/\\]/).slice(-1)
  const plain = last.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, '').trim()
  if (plain === '' || /^\.+$/.test(plain)) return nameless
  const points = [...plain]
  if (points.length <= nameLength) return plain
  const [ending = ''] = /\.[0-9A-Za-z]{1,10}$/.exec(plain) ?? []
  return points.slice(0, nameLength - ending.length).join('') + ending
}
