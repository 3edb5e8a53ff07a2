const ours = /^"v(\d{1,15})"$/

/** The ETag of a version of a resource. */
export function toEntityTag(version: number): string {
  return `"v${version}"`
}

/** The version that one strong tag of ours names; undefined for a weak tag and for those of others. */
export function parseEntityTag(tag: string): number | undefined {
  const version = ours.exec(tag)?.[1]
  return version === undefined ? undefined : Number(version)
}
