import { invitationScript } from './invitation-page.ts'
import { newPasswordScript } from './new-password-page.ts'
import { signInScript } from './sign-in-section.ts'

/** The script of the front page, in a file because the page's policy allows none inline. */
export const frontPageScript = `'use strict'
const api = document.currentScript.dataset.api

/** Answers { ok, status, body }; a server out of reach is an answer that failed, too. */
async function call(method, path, input) {
  try {
    const answer = await fetch(api + path, {
      method,
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json' },
      ...(input && { body: JSON.stringify(input) }),
    })
    const text = await answer.text()
    return { ok: answer.ok, status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  } catch {
    return { ok: false, status: 0, body: { message: 'The server can not be reached: try again.' } }
  }
}

${invitationScript}
${newPasswordScript}
${signInScript}
addEventListener('hashchange', () => location.reload())
`
