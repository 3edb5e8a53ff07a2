/**
 * What the front page shows to who opened the link of a mail for a new password, `/#reset-password=<code>`: hidden until the
 * script finds a code behind the `#`, which browsers send to no server.
 */
export const newPasswordSection = `<section id="new-password" hidden>
      <h2>A new password</h2>
      <p id="new-password-state" role="status"></p>
      <form id="new-password-form">
        <p><label>New password <input id="new-password-password" type="password" autocomplete="new-password" required></label></p>
        <p><button>Set the password</button></p>
      </form>
    </section>
    <noscript><p>Who asked for a new password and runs no scripts here sends the code of the mail, with the password, to the operation <code>POST /api/auth/reset-password</code>.</p></noscript>`

/** The script of that part of the page, which calls the server by the script before it. */
export const newPasswordScript = `{
const code = new URLSearchParams(location.hash.slice(1)).get('reset-password')
const part = (name) => document.getElementById('new-password' + name)
const say = (text) => { part('-state').textContent = text }

async function setPassword(event) {
  event.preventDefault()
  say('One moment …')
  const password = part('-password').value
  const { ok, body } = await call('POST', '/auth/reset-password', { password, code })
  part('-form').hidden = ok
  say(ok ? 'Done: sign in with the new password. All sessions that were open have ended.' : body.message + '.')
}

if (code) {
  part('').hidden = false
  part('-form').addEventListener('submit', setPassword)
  say('Set the new password of your account.')
}
}
`
