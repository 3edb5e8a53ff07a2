import type { Headers } from '../security-headers.ts'
import { escapeHtml } from './escape-html.ts'
import { htmlPage } from './html-page.ts'

/** What a page is sent with, beside the policy of all answers: it runs and loads nothing, and hides where it stands. */
export const pageHeaders: Headers = { 'Content-Type': 'text/html; charset=utf-8' }

/** What the page is sent with that asks: our own site is to see that its link is followed from there, and not from any other page. */
export const askingHeaders: Headers = { ...pageHeaders, 'Referrer-Policy': 'same-origin' }

/** Whether who asks looks at pages: browsers that follow a link say so, and programs take what they get. */
export function takesPages({ accept = '' }: { readonly accept?: string | undefined }): boolean {
  return /\btext\/html\b/i.test(accept)
}

/**
 * Asks a browser that others may have led to the beginning of a sign-in whether that was meant: else a link anywhere could have a visitor
 * signed in to an account that isn't theirs, and take what they enter there.
 */
export function askingPage(provider: string, query: string): string {
  const { host } = new URL(provider)
  return toPage(
    'Sign in?',
    `A link of somebody else may have led you here, to sign in by an account at ${host}. Go on only if you meant to sign in here.`,
    { href: `start?${query}`, text: `Go on to ${host}` },
  )
}

/** Says to a browser why a sign-in did not come to its end, and where to begin again. */
export function failurePage(message: string): string {
  return toPage('You are not signed in', `${message}.`, { href: 'start', text: 'Begin again' })
}

/** Says to a browser why an app is not let in: where it goes on from there only the app knows. */
export function appFailurePage(message: string): string {
  return toPage('The app is not let in', `${message}.`)
}

/** Says that it can be tried again as it is. */
export function laterPage(message: string, again: string): string {
  return toPage('You are not signed in yet', `${message}.`, { href: again, text: 'Try again' })
}

function toPage(
  title: string,
  sentence: string,
  link?: { readonly href: string; readonly text: string },
): string {
  const next =
    link && `\n    <p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`
  return htmlPage(title, `<p>${escapeHtml(sentence)}</p>${next ?? ''}`)
}
