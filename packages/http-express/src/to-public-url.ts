/** The URL at which browsers reach the service, without a slash at the end. Throws a TypeError for an invalid one. */
export function toPublicUrl(given: string): string {
  const isAddress = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)
  if (isAddress) return given.replace(/\/+$/, '')
  throw new TypeError(
    `publicUrl is "${given}": it must begin with http:// or https://, as https://example.com`,
  )
}

/** The path of such a URL, without a slash at the end. */
export function toPath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '')
}
