/** Refuses with a TypeError what is no address that browsers could reach the service at. */
export function requirePublicUrl(publicUrl: string | undefined): void {
  if (publicUrl === undefined) return
  const isAddress = URL.canParse(publicUrl) && /^https?:$/.test(new URL(publicUrl).protocol)
  if (isAddress && !publicUrl.endsWith('/')) return
  throw new TypeError(
    `publicUrl is "${publicUrl}": it must begin with http:// or https://, and not end with a slash, as https://example.com`,
  )
}
