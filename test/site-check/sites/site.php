<?php
// A plain site in PHP that reads form fields and makes the mistake that MISTAKE names; `right` makes none. Its secret
// stands in the address (?key=...), its order in a file below SITE_FOLDER.
$mistake = getenv('MISTAKE') ?: 'right';
$kkm = '0001234567012345';
$path = getenv('SITE_FOLDER') . '/order.json';
$order = is_file($path) ? json_decode(file_get_contents($path), true) : ['id' => 'A-1', 'state' => 'paid'];

function answer(array $data, int $status = 200): never
{
    global $mistake;
    http_response_code($status);
    header('Content-Type: application/json; charset=utf-8');
    if ($mistake === 'php-notice') echo "<br />\n<b>Notice</b>: Undefined index: coupon in <b>/shop/fiscal.php</b><br />\n";
    exit(json_encode($data, JSON_UNESCAPED_UNICODE));
}

function save(array $order): void
{
    global $path;
    file_put_contents($path, json_encode($order, JSON_UNESCAPED_UNICODE), LOCK_EX);
}

if ($mistake !== 'no-secret' && !hash_equals(getenv('FISCAL_SECRET'), (string) ($_GET['key'] ?? ''))) {
    answer(['resultCode' => 4, 'resultInfo' => 'the secret is wrong'], 401);
}

switch ($_POST['action'] ?? '') {
    case 'order':
        $isMine = $_POST['kkm'] === $kkm || $mistake === 'foreign-kkm';
        if ($order['state'] !== 'paid' || !$isMine) {
            if ($mistake === 'html-on-empty') exit('<!DOCTYPE html><title>Shop</title><p>Nothing here');
            answer(['resultCode' => 0]);
        }
        if ($mistake === 'marks-on-poll') save(['state' => 'printed'] + $order);
        $head = ['kkm' => $kkm, 'orderId' => $order['id']];
        if ($mistake === 'no-order-id') unset($head['orderId']);
        $name = $mistake === 'json-encode-false' ? substr('Чай', 0, 5) : 'Чай';
        answer(['response' => $head + ['taskTable' => [
            ['type' => 'OpenCheckSell'],
            ['type' => 'Registration', 'data' => $name, 'param' => ['price' => '120.00', 'quantity' => 2, 'tax' => 11]],
            ['type' => 'Payment', 'param' => ['summ' => '240.00', 'typeClose' => 1]],
            ['type' => 'CloseCheck'],
        ]]]);

    case 'orderConfirm':
        if ($_POST['orderId'] === $order['id'] && $order['state'] !== 'printed') {
            save(['state' => $_POST['outcome']] + $order);
        }
        answer(['resultCode' => 0]);

    case 'sync':
    case 'KKMConnected':
    case 'KKMDisconnected':
    case 'ZReport':
        answer(['resultCode' => 0]);

    default:
        if ($mistake === 'empty-to-json') exit;
        answer(['resultCode' => 2, 'resultInfo' => 'this action is not known']);
}
