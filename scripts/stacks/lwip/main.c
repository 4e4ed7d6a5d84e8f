/* Opens one TCP connection, or accepts them, with Debian's liblwip on a tap device, which the library finds by the
 * environment variable PRECONFIGURED_TAPIF. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lwip/api.h>
#include <lwip/netif.h>
#include <lwip/netifapi.h>
#include <lwip/tcpip.h>
#include <netif/tapif.h>

static const char usage[] = "usage: lwip TAP OWN-IPV4 OWN-IPV6 connect ADDRESS PORT | serve ADDRESS PORT\n";

static const unsigned char own_mac[] = {2, 0, 0, 0, 0, 2};
static struct netif tap;
static ip4_addr_t own4;
static ip6_addr_t own6;
static sys_sem_t is_up;

static void die(const char *message) {
    fputs(message, stderr);
    exit(1);
}

static void start(void *unused) {
    (void)unused;
    ip4_addr_t mask, gateway;
    IP4_ADDR(&mask, 255, 255, 255, 0);
    ip4_addr_set_zero(&gateway);
    if (!netif_add(&tap, &own4, &mask, &gateway, NULL, tapif_init, tcpip_input)) {
        die("no tap device\n");
    }
    memcpy(tap.hwaddr, own_mac, sizeof own_mac);
    netif_set_default(&tap);
    netif_set_link_up(&tap);
    netif_set_up(&tap);
    netif_ip6_addr_set(&tap, 0, &own6);
    netif_ip6_addr_set_state(&tap, 0, IP6_ADDR_PREFERRED);
    sys_sem_signal(&is_up);
}

int main(int argc, char **argv) {
    ip_addr_t address;
    if (argc != 7 || !ip4addr_aton(strtok(argv[2], "/"), &own4) || !ip6addr_aton(strtok(argv[3], "/"), &own6)
        || !ipaddr_aton(argv[5], &address)) {
        die(usage);
    }
    u16_t port = (u16_t)atoi(argv[6]);
    if (sys_sem_new(&is_up, 0) != ERR_OK) {
        die("no semaphore\n");
    }
    tcpip_init(start, NULL);
    sys_arch_sem_wait(&is_up, 0);

    struct netconn *connection = netconn_new(IP_IS_V6(&address) ? NETCONN_TCP_IPV6 : NETCONN_TCP);
    if (!strcmp(argv[4], "connect")) {
        if (netconn_connect(connection, &address, port) != ERR_OK) {
            die("not connected\n");
        }
        usleep(100 * 1000);
        netconn_delete(connection);
        usleep(300 * 1000);
        return 0;
    }
    if (netconn_bind(connection, &address, port) != ERR_OK || netconn_listen(connection) != ERR_OK) {
        die("not listening\n");
    }
    for (;;) {
        struct netconn *accepted;
        if (netconn_accept(connection, &accepted) == ERR_OK) {
            usleep(50 * 1000);
            netconn_delete(accepted);
        }
    }
}
