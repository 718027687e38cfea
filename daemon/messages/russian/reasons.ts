import { russianAnswers } from "@fiscald/shared/site-check/russian-answers.js";
import { translatorOf } from "@fiscald/shared/translate.js";
import { russianRefusals } from "./refusals.js";

/**
 * What exactly is wrong with the config, a file, a command or a register, in Russian: the English text in the code is the
 * key. `*` stands for any value, and `$1`, `$2` for the first and the second. A reason that is missing here stays English.
 */
export const russianReasons: Readonly<Record<string, string>> = {
  // The config
  "1 problem in *:": "Ошибка в файле $1:",
  "* problems in *:": "Ошибок: $1, файл $2:",
  "there is no such key; did you mean `*`?": "такого ключа нет; может быть, `$1`?",
  "there is no such key; known keys: *": "такого ключа нет; известные ключи: $1",
  "is missing (*)": "не задано ($1)",
  "too small: expected * to be >=* characters": "слишком коротко: знаков должно быть не меньше $2",
  "too big: expected * to have <=* characters": "слишком длинно: знаков должно быть не больше $2",
  "too small: expected * to have >=* characters": "слишком коротко: знаков должно быть не меньше $2",
  "too small: expected * to have >=* items": "слишком мало: нужно не меньше $2",
  "too big: expected * to have <=* items": "слишком много: нужно не больше $2",
  "too small: expected * to be >=*": "слишком мало: нужно не меньше $2",
  "too small: expected * to be >*": "слишком мало: нужно больше $2",
  "too big: expected * to be <=*": "слишком много: нужно не больше $2",
  "invalid input: expected *, received *": "не то значение: нужно $1, а здесь $2",
  "invalid input: expected *": "не то значение: нужно $1",
  "invalid input": "не то значение",
  "invalid option: expected one of *": "не то значение: нужно одно из $1",
  "invalid discriminator value. Expected *": "не то значение: нужно одно из $1",
  "must be a time of day as HH:MM": "нужно время суток в виде ЧЧ:ММ",
  "must be a time zone such as Europe/Moscow": "нужен часовой пояс, например Europe/Moscow",
  "must be an address that begins with http:// or https://": "нужен адрес, который начинается с http:// или https://",
  "must be without user:password@; a site has `auth` for it": "без user:password@; для сайта есть `auth`",
  "must be an address like http://127.0.0.1:16732": "нужен адрес вида http://127.0.0.1:16732",
  "must end with the port: the register, user and password go into options.deviceId, user and password":
    "адрес кончается портом: касса, пользователь и пароль - в options.deviceId, user и password",
  "must be 16 digits": "нужны 16 цифр",
  "a number from 0 to 4294967295": "нужно число от 0 до 4294967295",
  "must be a mail address": "нужен адрес почты",
  "must be a mail address, or a list of them": "нужен адрес почты или список таких адресов",
  "must be an address such as smtps://user:password@smtp.shop.example:465, with %40 for @ and %2F for / in its user and password":
    "нужен адрес вида smtps://user:password@smtp.shop.example:465; в имени и пароле вместо @ пишется %40, вместо / - %2F",
  "must be 10 or 12 digits": "нужны 10 или 12 цифр",
  "must be 12 digits or empty": "нужны 12 цифр или ничего",
  "must be one of *": "нужно одно из: $1",
  "must be base64, with or without `whsec_` before it": "нужен base64, с `whsec_` в начале или без",
  'must be text, {"fromFile": "path"} or {"fromEnv": "NAME"}':
    'нужен текст, {"fromFile": "путь"} или {"fromEnv": "ИМЯ"}',
  'must be {"preset": NAME} or {"template": "https://..."}': 'нужно {"preset": ИМЯ} или {"template": "https://..."}',
  "may have letters, digits, dot, dash and underscore, at most 64":
    "допустимы латинские буквы, цифры, точка, дефис и подчёркивание, не больше 64 знаков",
  "has a control character: write a backslash twice (C:\\\\temp), or as / (C:/temp)":
    "есть управляющий символ: обратная косая черта пишется дважды (C:\\\\temp) или как / (C:/temp)",
  "is the same as in *": "то же, что и в $1",
  "is the id of one of the * that are still here": "это id одной из записей $1, которые ещё здесь",
  "is no name of an HTTP header": "это не имя заголовка HTTP",
  "there is no placeholder *": "подстановки $1 нет",
  "there is no site *; there are: *": "сайта $1 нет; есть: $2",
  "there is no register *; there are: *": "кассы $1 нет; есть: $2",
  '* registers are not reached by "*"; there are: *': "кассы $1 не подключаются через «$2»; можно: $3",
  "emulated and real registers cannot share the group *": "эмуляторы и настоящие кассы не бывают в одной группе $1",
  "* and * would use one another's order numbers: their orders addresses differ only in the scheme or in a secret; give each its own `issuer`":
    "$1 и $2 приняли бы номера заказов друг друга: их адреса заказов отличаются только схемой или секретом; задайте каждому свой `issuer`",
  "certFile and keyFile go together": "certFile и keyFile задаются вместе",
  "this certificate and key cannot be used: *": "этот сертификат с ключом не годится: $1",
  "* can be reached from other machines, and without HTTPS everybody in that network could read the console's token and the orders: name `console.tls.certFile` and `console.tls.keyFile`, or take the host 127.0.0.1":
    "$1 доступен другим компьютерам, и без HTTPS каждый в этой сети прочёл бы токен страницы и заказы: задайте `console.tls.certFile` и `console.tls.keyFile` или возьмите адрес 127.0.0.1",
  '"*" looks like a secret and is left out of the issuer; if it distinguishes this shop from others, set `issuer`':
    "«$1» похоже на секрет и не входит в имя магазина; если оно отличает этот магазин от других, задайте `issuer`",
  "no register names this site in its `sites`: it is not asked for orders":
    "ни у одной кассы этого сайта нет в `sites`: заказы у него не запрашиваются",
  "is missing: an order with a position without a tax is not printed":
    "не задано: заказ, в котором есть позиция без ставки, не будет напечатан",
  "is missing: documents of * registers all name a cashier, so this one prints nothing":
    "не задано: в каждом документе касс $1 есть кассир, поэтому эта касса ничего не напечатает",
  "there is no * in *": "$1 нет в $2",
  "* has no parts": "у $1 нет частей",
  "the config file * cannot be read: *": "файл настроек $1 не читается: $2",
  "the environment variable * is not set": "переменная окружения $1 не задана",
  "the file * is empty": "файл $1 пуст",
  "the file * cannot be read: *": "файл $1 не читается: $2",
  "* is not UTF-8 but *: save it as UTF-8": "$1 не в UTF-8, а в $2: сохраните его в UTF-8",
  "is no JSON: line *, column *: *": "это не JSON: строка $1, столбец $2: $3",
  // Where JSON ends: the rest of the line above
  "text in double quotes is expected here": "здесь нужен текст в двойных кавычках",
  "a backslash is written twice in JSON (C:\\\\fiscald), or as / (C:/fiscald)":
    "обратная косая черта в JSON пишется дважды (C:\\\\fiscald) или как / (C:/fiscald)",
  "the closing double quote is missing": "не хватает закрывающей двойной кавычки",
  "a colon is missing before this": "перед этим не хватает двоеточия",
  "a comma or * is missing before this": "перед этим не хватает запятой или $1",
  "the comma before this is one too many": "запятая перед этим лишняя",
  "this key is here twice": "этот ключ здесь второй раз",
  "a value is expected here": "здесь нужно значение",
  "the file should end here": "здесь файл должен закончиться",
  "the file ends too early": "файл обрывается",
  "JSON has no comments: remove it": "в JSON нет комментариев: уберите его",
  "JSON has double quotes, not single ones": "в JSON двойные кавычки, а не одинарные",
  // Commands
  "* is not the number of a job or event": "$1 — не номер задания или события",
  "the order * has several jobs: *. Name one by its number":
    "у заказа $1 несколько заданий: $2. Назовите одно по номеру",
  "there is no job and no order *": "нет ни задания, ни заказа $1",
  "* must be one of *": "$1: нужно одно из $2",
  "--on must be a date as YYYY-MM-DD": "--on: нужна дата вида ГГГГ-ММ-ДД",
  "say either --printed FD or --not-printed": "задайте либо --printed ФД, либо --not-printed",
  "--checked FD needs --not-printed": "--checked ФД задаётся вместе с --not-printed",
  "numbers from the paper need --printed FD": "числа с бумаги задаются вместе с --printed ФД",
  "--fn, --sign, --shift and --time must be given together": "--fn, --sign, --shift и --time задаются вместе",
  "a site of the config is called as the config says": "сайт из настроек вызывается так, как в них записано",
  "the daemon runs and takes the orders of its sites itself: stop it, check, and start it again":
    "демон работает и сам забирает заказы своих сайтов: остановите его, проверьте сайт и запустите снова",
  "there are no logs in * yet": "в $1 пока нет журналов",
  "name jobs or give a filter: --state, --site, --register, --since":
    "назовите задания или задайте отбор: --state, --site, --register, --since",
  "--since * is not a time such as 2026-11-20T14:03": "--since $1 — не время вида 2026-11-20T14:03",
  "there is no database at *: the daemon has not run yet": "базы $1 нет: демон ещё не запускался",
  "this action needs the running daemon": "для этого демон должен работать",
  "no daemon answers at *": "по адресу $1 демон не отвечает",
  "what listens at * does not have the token in *: it is the daemon of another config, or another program":
    "у программы по адресу $1 нет токена из $2: это демон с другими настройками или другая программа",
  "the token file * cannot be read": "файл токена $1 не читается",
  "* is not a fiscald daemon": "$1 — это не fiscald",
  "there is no input to answer the questions from": "ответы на вопросы взять неоткуда: нужен терминал",
  "there was no answer to the question; nothing was written": "ответа на вопрос не было; ничего не записано",
  "* would become the service's own: give it a folder such as * in the config":
    "$1 стала бы папкой службы: задайте в настройках другую, например $2",
  "there is no service for *: run `fiscald run`": "для $1 службы нет: запускайте `fiscald run`",
  "service *: say install, uninstall or status": "service $1: нужно install, uninstall или status",
  "this needs administrator's rights: run it with sudo, or as administrator":
    "нужны права администратора: запустите через sudo или от имени администратора",
  '"*" is not HOST or HOST:PORT, such as 192.168.1.5:7778': "«$1» — не УЗЕЛ и не УЗЕЛ:ПОРТ, например 192.168.1.5:7778",
  "* is not changed here": "$1 здесь не меняется",
  "another program has the database open, nothing was changed: *":
    "база открыта другой программой, ничего не изменено: $1",
  "the package * is not installed": "пакет $1 не установлен",
  "the package * cannot be loaded": "пакет $1 не загружается",
  // Registers
  "tag *: the register was sent * and registered * (document *)":
    "тег $1: кассе передано $2, она зарегистрировала $3 (документ $4)",
  "tag *: the register was sent * and did not register it (document *)":
    "тег $1: кассе передано $2, она этого не зарегистрировала (документ $3)",
  "*; driver * works only while the service ATOL Connect (UEM) runs":
    "$1; драйвер $2 работает, только пока работает служба ATOL Connect (UEM)",
  "defaultTax * is *: *": "defaultTax $1 — это $2: $3",
  "tag *: the register refused a receipt with it": "тег $1: касса отвергла чек с ним",
  "* is *: with value * the receipt is printed as it was sent":
    "$1 сейчас $2: при значении $3 чек печатается таким, как передан",
  "table *, field *": "таблица $1, поле $2",
  "settings item *, bit *": "настройка $1, бит $2",
  "version of the ATOL driver": "версия драйвера АТОЛ",
  // The database
  "the database is held by *": "база занята: $1",
  "another process": "другой процесс",
  "process *, running since *": "процесс $1, работает с $2",
  "another process has * open, and its lock file was deleted: end that process first":
    "файл $1 открыт другим процессом, а его файл блокировки удалён: сначала завершите тот процесс",
  "* is on a network file system (*)": "$1 лежит на сетевом диске ($2)",
  "the database * has version *, this program knows versions up to *":
    "у базы $1 версия $2, эта программа знает версии до $3",
  "the database * is damaged: *": "база $1 повреждена: $2",
  "the database * is of an earlier version: start the daemon once":
    "база $1 более ранней версии: запустите демон один раз",
  'this orders address belongs to the site *: under the new id * its orders could be printed again; set "renamedFrom": "*" in the site *, or keep the former id':
    'это адрес заказов сайта $1: под новым id $2 его заказы могли бы напечататься снова; задайте "renamedFrom": "$3" для сайта $4 или оставьте прежний id',
  "there is no job *": "задания $1 нет",
  "job * is *": "задание $1: состояние $2",
  "document * of drive * is already recorded for another job than *":
    "документ $1 накопителя $2 уже записан за другим заданием, не за $3",
  "there is no file *": "файла $1 нет",
  "* is no database of ours": "$1 — не база fiscald",
  "* has version *": "у $1 версия $2",
};

/** With `place: ` before a reason, and line by line. */
export const russianReason = translatorOf({ ...russianRefusals, ...russianReasons, ...russianAnswers });
