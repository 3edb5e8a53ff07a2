/** The caller closed the connection before the request had arrived: there is nobody to answer. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection was closed before the request was complete')
    this.name = 'ConnectionLost'
  }
}
