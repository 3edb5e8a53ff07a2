/**
 * The part of the front page for people who opened the link of an invitation, `/#invitation=<token>`, or
 * `/#invitation=<id>.<code>` for a link that was passed on. It is hidden until the script finds one of them behind the `#`,
 * which browsers don't send to any server.
 */
export const invitationSection = `<section id="invitation" hidden>
      <h2>You are invited</h2>
      <p id="invitation-state" role="status">One moment …</p>
      <form id="invitation-form" hidden>
        <p id="invitation-address">Use the address that the invitation was mailed to.</p>
        <p><label>E-mail address <input id="invitation-email" type="email" autocomplete="username" required></label></p>
        <p><label>Password <input id="invitation-password" type="password" autocomplete="current-password" required></label></p>
        <p><label><input id="invitation-is-new" type="checkbox"> I have no account yet: make one with this password</label></p>
        <p id="invitation-invite-row" hidden><label>Invitation code of the administrator <input id="invitation-invite-code" autocomplete="off"></label></p>
        <p id="invitation-code-row" hidden><label>Code that was mailed to you <input id="invitation-code" autocomplete="one-time-code"></label></p>
        <p><button>Go on</button></p>
      </form>
      <p id="invitation-accept-row" hidden><button id="invitation-accept" type="button">Accept the invitation</button></p>
    </section>
    <noscript><p>Who was invited by mail and runs no scripts here signs up or in, and sends the token of the mail to the operation <code>POST /api/invitation/email/accept</code>.</p></noscript>`

/** The script of that part of the page, which calls the server by the script before it. */
export const invitationScript = `{
const token = new URLSearchParams(location.hash.slice(1)).get('invitation')
const part = (name) => document.getElementById('invitation' + name)
const say = (text) => { part('-state').textContent = text }
// Of a link that was passed on: its id and its code. The token of a mail has no dot.
const [invitationId, invitationCode] = (token || '').split('.')
let verificationToken

function offerForm(text) {
  say(text)
  part('-form').hidden = false
  part('-accept-row').hidden = true
}

function offerAcceptance(email) {
  say('You are signed in' + (email ? ' as ' + email : '') + '.')
  part('-form').hidden = true
  part('-accept-row').hidden = false
}

async function accept() {
  const { ok, status, body } = invitationCode
    ? await call('POST', '/invitation/link/accept', { invitationId, invitationCode })
    : await call('POST', '/invitation/email/accept', { token })
  if (status === 401) return offerForm('Sign in first.')
  if (!ok) return offerForm(body.message + '. If you have another account, sign in with that one.')
  part('-form').hidden = true
  part('-accept-row').hidden = true
  say('Done: you are in the ' + (body.baseId ? 'base ' + body.baseId + ' of the ' : '') + 'space ' + body.spaceId + '.')
}

function signUpInput(email, password) {
  const inviteCode = part('-invite-code').value.trim()
  const code = part('-code').value.trim()
  return {
    email,
    password,
    ...(inviteCode && { inviteCode }),
    ...(verificationToken && code && { verification: { code, token: verificationToken } }),
  }
}

async function enter(event) {
  event.preventDefault()
  const email = part('-email').value.trim()
  const password = part('-password').value
  const isNew = part('-is-new').checked
  say('One moment …')
  const { ok, status, body } = isNew
    ? await call('POST', '/auth/signup', signUpInput(email, password))
    : await call('POST', '/auth/signin', { email, password })
  if (ok) return accept()
  if (isNew) part('-invite-row').hidden = false
  if (status === 422 && body.data && body.data.token) {
    verificationToken = body.data.token
    part('-code-row').hidden = false
  }
  offerForm(body.message + '.')
}

async function start() {
  if (!token) return
  part('').hidden = false
  part('-address').hidden = Boolean(invitationCode)
  part('-form').addEventListener('submit', enter)
  part('-accept').addEventListener('click', accept)
  const { ok, body } = await call('GET', '/auth/user/me')
  if (ok) offerAcceptance(body.email)
  else offerForm('Sign in to accept, or make an account.')
}

start()
}
`
