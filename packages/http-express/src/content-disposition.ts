/** What stands in a plain file name of a header: letters, digits and marks of ASCII that end no quotes. */
const unplain = /[^\w !#$&'()+,.;=@^`{}~-]/g

/** What `encodeURIComponent` leaves as it is though RFC 8187 has no place for it. */
const unencoded = /['()*!]/g

/**
 * The header that has browsers save an answer as a file of the name (RFC 6266): whole in UTF-8, and as ASCII for those
 * that don't read that.
 */
export function attachmentOf(fileName: string, shown: 'attachment' | 'inline' = 'attachment') {
  const plain = fileName.replace(unplain, '_')
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    unencoded,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${shown}; filename="${plain}"; filename*=UTF-8''${whole}`
}
