const ours = /^"v(\d{1,15})(?:\.[\w-]+)?"$/

/**
 * The ETag of a version of a resource, and of what an answer says of it where its hash is given: of letters, digits,
 * `-` and `_`. An answer can change while the version doesn't: it shows names, roles and fields of others too.
 */
export function toEntityTag(version: number, bodyHash?: string): string {
  return bodyHash === undefined ? `"v${version}"` : `"v${version}.${bodyHash}"`
}

/** The version that one strong tag of ours names, with or without a hash; undefined for a weak tag and for those of others. */
export function parseEntityTag(tag: string): number | undefined {
  const version = ours.exec(tag)?.[1]
  return version === undefined ? undefined : Number(version)
}
