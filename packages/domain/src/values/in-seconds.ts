/** A number of seconds in words, for messages: `1 second`, `2 seconds`. */
export function inSeconds(seconds: number): string {
  return `${seconds} second${seconds === 1 ? '' : 's'}`
}
