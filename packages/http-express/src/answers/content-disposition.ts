/** What stands in a plain file name of a header: letters, digits and marks of ASCII that end no quotes. */
const unplain = /[^\w !#$&'()+,.;=@^`{}~-]/g

/** What `encodeURIComponent` leaves as it is though RFC 8187 has no place for it. */
const unencoded = /['()*!]/g

/**
 * The header with which browsers save an answer as a file (RFC 6266): with its name in UTF-8, and in ASCII for
 * browsers that can't read that.
 */
export function attachmentOf(fileName: string, shown: 'attachment' | 'inline' = 'attachment') {
  const plain = fileName.replace(unplain, '_')
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    unencoded,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${shown}; filename="${plain}"; filename*=UTF-8''${whole}`
}
