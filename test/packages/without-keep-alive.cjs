// For Node under Wine 8 only, which refuses this option of a socket.
const net = require("node:net");
const connect = net.connect;
net.connect = (options, ...rest) => connect({ ...options, keepAlive: false }, ...rest);
net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
