/** Characters of what a provider says that stand in a log. */
const wordsLengthMax = 500

/**
 * Makes of the failure of a sign-in what may stand in a log: the sentences and the code of the library, and the error that the
 * provider names, unless that repeats something of what it was sent. Nothing else of its answers, in which tokens may be.
 */
export function toProviderFailure(failure: unknown, sent: readonly string[]): Error {
  const sentences: string[] = []
  let code: string | undefined
  const seen = new Set<unknown>()
  for (let at = failure; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    // A syntax error quotes what it is about.
    if (at instanceof SyntaxError) break
    if (!sentences.includes(at.message)) sentences.push(at.message)
    if ('code' in at && typeof at.code === 'string') code = at.code
    if ('error' in at) sentences.push(tellsOf(at, sent))
  }
  const stack = failure instanceof Error ? framesOf(failure) : ''
  const error = new Error(sentences.join(': '))
  return Object.assign(error, { stack: `Error: ${error.message}${stack}`, ...(code && { code }) })
}

/** The error that a provider names, and describes in words of its own. */
function tellsOf(named: object, sent: readonly string[]): string {
  const { error, error_description: words } = named as Readonly<Record<string, unknown>>
  const told = [error, words].filter((one) => typeof one === 'string').join(', ')
  const isRepeated = sent.flatMap(formsOf).some((form) => form !== '' && told.includes(form))
  return isRepeated ? 'it repeats what it was sent' : told.slice(0, wordsLengthMax)
}

function formsOf(text: string): readonly string[] {
  const inForm = String(new URLSearchParams({ text })).slice('text='.length)
  const inJson = JSON.stringify(text).slice(1, -1)
  return [text, inJson, inForm, encodeURIComponent(text), Buffer.from(text).toString('base64')]
}

/** The places in the code where it happened; its first lines are its message. */
function framesOf({ stack = '' }: Error): string {
  const start = stack.search(/\n {4}at /)
  return start === -1 ? '' : stack.slice(start)
}
