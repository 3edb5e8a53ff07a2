import type { Program } from './program.ts'
import { Searcher, type Spend, widthOf } from './searcher.ts'
import type { Captures } from './thread-list.ts'

const reference = /\$(?:(\$)|(&|0)|([1-9]\d?))/g

/**
 * Replaces every match of a program. In the replacement `$1` to `$99` stand for what the groups
 * matched, `$0` and `$&` for the whole match, `$$` for a dollar sign.
 */
export function replaceAll(
  text: string,
  program: Program,
  replacement: string,
  spend: Spend,
): string {
  const searcher = new Searcher(program, text, spend)
  const parts: string[] = []
  let copied = 0
  let from = 0
  while (from <= text.length) {
    const captures = searcher.find(from)
    if (!captures) break
    const [start = 0, end = 0] = captures
    const inserted = expand(replacement, text, captures, spend)
    spend(inserted.length + 1)
    parts.push(text.slice(copied, start), inserted)
    copied = end
    from = end > start ? end : end + widthOf(text.codePointAt(end))
  }
  parts.push(text.slice(copied))
  return parts.join('')
}

function expand(replacement: string, text: string, captures: Captures, spend: Spend): string {
  if (!replacement.includes('$')) return replacement
  spend(replacement.length)
  const groupCount = captures.length / 2 - 1
  const textOf = (group: number) => {
    const [start = -1, end = -1] = captures.slice(group * 2, group * 2 + 2)
    const found = start < 0 ? '' : text.slice(start, end)
    spend(found.length)
    return found
  }
  return replacement.replace(reference, (whole, dollar?: string, all?: string, digits = '') => {
    if (dollar) return '$'
    if (all) return textOf(0)
    const group = Number(digits)
    if (group <= groupCount) return textOf(group)
    const tens = Math.floor(group / 10)
    return tens > 0 && tens <= groupCount ? textOf(tens) + digits.slice(1) : whole
  })
}
