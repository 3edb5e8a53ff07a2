import type { Api } from '@gateleg/domain/api'
import { escapeHtml } from './escape-html.ts'
import { htmlPage } from './html-page.ts'

/** What an app asks somebody for. */
export type AskedAuthorization = Awaited<ReturnType<Api['oauthGrants']['getAuthorization']>>

/** Asks somebody whether an app may act in their name: a form that is sent back to where the page is, and works without a script. */
export function consentPage({
  name,
  description,
  homepage,
  scopes = [],
  redirectUri,
  user,
}: AskedAuthorization): string {
  const about = description === undefined ? '' : `<p>It says: ${escapeHtml(description)}</p>\n    `
  const { host } = new URL(redirectUri)
  // As text: a link here that the app has chosen could lead to our own site, which takes what comes from its own pages for meant.
  const itself = `${escapeHtml(name)} (${escapeHtml(new URL(homepage).href)})`
  return htmlPage(
    `Let ${name} act for you?`,
    `<p>You are signed in as ${escapeHtml(user.name)} (${escapeHtml(user.email)}).</p>
    ${about}<p>The app ${itself} asks to do this in your name, wherever your own role allows it:</p>
    <ul>
      ${['see who you are', ...wordsOf(scopes)].map((text) => `<li>${escapeHtml(text)}</li>`).join('\n      ')}
    </ul>
    <p>You can end that at any time. Then you go on to ${escapeHtml(host)}.</p>
    <form method="post">
      <p><button name="allow" value="true">Allow</button> <button name="allow" value="false">Refuse</button></p>
    </form>`,
  )
}

/** What may be done with each kind of thing: `record: create, read`. */
function wordsOf(scopes: readonly string[]): readonly string[] {
  const byKind = Map.groupBy(scopes, (scope) => scope.split('|', 1)[0] ?? '')
  return [...byKind].map(([kind, of]) => {
    const done = of.map((scope) => scope.slice(kind.length + 1))
    return `${kind}: ${done.join(', ')}`.replaceAll('_', ' ')
  })
}
