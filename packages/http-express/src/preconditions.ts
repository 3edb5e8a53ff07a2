import { parseEntityTag } from '@gateleg/contract/entity-tag'

/**
 * The versions that an `If-Match` header names: undefined when any will do (no header, or `*`). Weak
 * tags and those of others name none, so that a header full of them matches nothing.
 */
export function parseIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return toVersions(header.split(','))
}

/** Whether an `If-None-Match` header names the tag of an answer, one of ours; weak tags count here. */
export function isNoneMatch(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').map(withoutWeakness).includes(tag)
}

/** Our tags hold no comma, so that the parts of others' tags that do are no tags of ours either. */
function toVersions(tags: readonly string[]): number[] {
  return tags
    .map((tag) => parseEntityTag(tag.trim()))
    .filter((version): version is number => version !== undefined)
}

function withoutWeakness(tag: string): string {
  const trimmed = tag.trim()
  return trimmed.startsWith('W/') ? trimmed.slice(2) : trimmed
}
