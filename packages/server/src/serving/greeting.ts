/** What is known of a server that has started. */
export interface Start {
  /** Where it listens. */
  readonly url: string
  /** What callers reach it by, where that is configured. */
  readonly publicUrl: string | undefined
  /** Where the data is, in words. */
  readonly place: string
  readonly accounts: number
  /** Whether nobody may sign up. */
  readonly isClosed: boolean
}

/** What a server says when it has started: where it is, and what comes next. */
export function greeting({ url, publicUrl, place, accounts, isClosed }: Start): string {
  const reachedBy = publicUrl ?? url
  const said = publicUrl === undefined ? '' : `Callers reach it by ${publicUrl} (PUBLIC_URL).\n`
  return `
gateleg listens on ${url} and keeps its data in ${place}.
${said}
  The operations:  ${reachedBy}/docs
${nextStep({ reachedBy, accounts, isClosed })}
Ctrl-C ends the server.

`
}

function nextStep({
  reachedBy,
  accounts,
  isClosed,
}: Pick<Start, 'accounts' | 'isClosed'> & { readonly reachedBy: string }): string {
  if (accounts > 0) return `  Accounts:        ${accounts}\n`
  if (isClosed) {
    return `
Warning: there is no account yet and SIGNUP_CLOSED is true, so nobody can get in: start once without it, sign up,
and close it then.
`
  }
  return `  Try this first:  curl ${reachedBy}/api/auth/signup -H 'Content-Type: application/json' \\
                     -d '{"email": "you@example.com", "password": "A-good-password-1"}'

The first account administers the instance. Its answer holds an accessToken: send it as
"Authorization: Bearer <accessToken>".
`
}
