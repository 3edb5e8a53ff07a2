import type { Request } from 'express'
import type { Exchange } from '../exchange/exchange.ts'
import type { Headers } from '../security-headers.ts'
import { escapeHtml } from './escape-html.ts'
import { htmlPage } from './html-page.ts'
import { invitationSection } from './invitation-page.ts'
import { newPasswordSection } from './new-password-page.ts'
import { signInSection } from './sign-in-section.ts'

/** Says what the service is and where to go on: a page for browsers, JSON for programs. */
export function answerFrontPage(
  exchange: Exchange,
  request: Request,
  publicUrl: string | undefined,
  pageHeaders: Headers,
): void {
  // At the root the links are relative: a proxy may serve it below a path that nobody has told us.
  const mount = publicUrl ?? request.baseUrl
  const toLink = (name: string) => (mount === '' ? name : `${mount}/${name}`)
  const links = {
    docs: toLink('docs'),
    openapi: toLink('openapi.json'),
    api: toLink('api'),
    health: toLink('health'),
  }
  const headers = { Vary: 'Accept' }
  if (request.accepts('json', 'html') === 'html') {
    // What the page itself loads and calls lies where the browser got it, whatever the public address says.
    const own = (name: string) => (request.baseUrl === '' ? name : `${request.baseUrl}/${name}`)
    const script = { src: own('front-page.js'), api: own('api') }
    exchange.answer(200, frontPage(links, script), {
      ...pageHeaders,
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
    })
  } else {
    const type = 'application/json; charset=utf-8'
    exchange.answer(200, JSON.stringify({ name, description, ...links }), {
      ...headers,
      'Content-Type': type,
    })
  }
}

const name = 'Gateleg'
const description = 'A workspace of bases, tables, fields, records and views over HTTP'

type Links = Readonly<Record<'docs' | 'openapi' | 'api' | 'health', string>>

/** Without styles, and with one script: for the links of mails. */
function frontPage(
  { docs, openapi, api, health }: Links,
  script: { readonly src: string; readonly api: string },
): string {
  const link = (href: string, text: string) => `<a href="${escapeHtml(href)}">${text}</a>`
  return htmlPage(
    name,
    `<p>${description}, below <code>${escapeHtml(api)}</code>.</p>
    <ul>
      <li>${link(docs, 'Every operation, to read and to try')}</li>
      <li>${link(openapi, 'The same as an OpenAPI description')}</li>
      <li>${link(health, 'Whether the storage can be read')}</li>
    </ul>
    ${invitationSection}
    ${newPasswordSection}
    ${signInSection}
    <script src="${escapeHtml(script.src)}" data-api="${escapeHtml(script.api)}" defer></script>`,
  )
}
