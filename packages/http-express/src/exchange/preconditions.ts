import { parseEntityTag } from '@gateleg/contract/entity-tag'
import { noVersion } from '@gateleg/domain/input/require-match'

/**
 * Reads the versions from an `If-Match` header, one for each tag; undefined when every version matches (no header, or
 * `*`). Tags of another form keep their positions too, so that those after them do.
 */
export function parseIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return toTags(header).map((tag) => parseEntityTag(tag) ?? noVersion)
}

/** Whether an `If-None-Match` header names the tag of an answer; weak tags count here. */
export function isNoneMatch(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').map(withoutWeakness).includes(tag)
}

/** What stands between the commas of a list. Tags of others may hold commas; what is empty is no tag. */
function toTags(header: string): readonly string[] {
  const parts = header.match(/(?:"[^"]*"|[^",])+/g) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function withoutWeakness(tag: string): string {
  const trimmed = tag.trim()
  return trimmed.startsWith('W/') ? trimmed.slice(2) : trimmed
}
