/* Known categories: all clients share one question to a provider, and each collects the answers. */
#include "src/manager/manager.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CATEGORIES_MS 1000 /* how long a client waits for answers */

static void free_found(struct fxt_i_client *client)
{
    for (size_t i = 0; i < client->found_count; i++) {
        free(client->found[i].name);
        free(client->found[i].description);
    }
    free(client->found);
    client->found = NULL;
    client->found_count = 0;
}

static bool is_found(const struct fxt_i_client *client, const char *name)
{
    for (size_t i = 0; i < client->found_count; i++)
        if (strcmp(client->found[i].name, name) == 0)
            return true;
    return false;
}

/* The first description of a name counts: the configuration comes first. */
static void find(struct fxt_i_client *client, const char *name, const char *description)
{
    if (is_found(client, name))
        return;
    struct fxt_i_category *room =
        realloc(client->found, (client->found_count + 1) * sizeof *client->found);
    if (room == NULL) {
        fxt_i_log(client->manager, "a list of categories lacks some: no memory");
        return;
    }
    client->found = room;
    struct fxt_i_category *it = &room[client->found_count];
    it->name = strdup(name);
    it->description = strdup(description);
    if (it->name != NULL && it->description != NULL) {
        client->found_count++;
    } else {
        fxt_i_log(client->manager, "a list of categories lacks some: no memory");
        free(it->name);
        free(it->description);
    }
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct fxt_i_category *)one)->name,
                  ((const struct fxt_i_category *)other)->name);
}

static void answer_categories(struct fxt_i_client *client)
{
    uint32_t transaction = client->inquiry;

    assert(client->found != NULL || client->found_count == 0);
    if (client->found_count > 0)
        qsort(client->found, client->found_count, sizeof *client->found, by_name);
    for (size_t i = 0; i < client->found_count; i++) {
        struct fxt_i_controller_packet packet = {
            .ordinal = FXT_I_CATEGORY_INFO, .transaction = transaction, .name_count = 2};
        struct fxt_bytes names[] = {fxt_i_bytes_of(client->found[i].name),
                                    fxt_i_bytes_of(client->found[i].description)};
        fxt_i_client_send(client, &packet, names);
    }
    fxt_i_client_done(client, transaction, TRACE_ERROR_NONE, (uint32_t)client->found_count, 0);
    free_found(client);
    fxt_i_timer_end(&client->inquiry_timer);
    client->inquiry = 0;
}

static void on_inquiry_timeout(void *self)
{
    const struct fxt_i_client *client = self;
    for (const struct fxt_i_provider *it = client->manager->providers; it != NULL; it = it->next)
        if (it->asked != 0)
            fxt_i_log(client->manager,
                      "%s (process %llu): a list of categories lacks its own: it does not answer",
                      it->name, (unsigned long long)it->process);
    answer_categories(self);
}

static void add_pairs(struct fxt_i_client *client, const struct fxt_i_packet *packet)
{
    for (uint32_t i = 0; i < packet->name_count; i++) {
        char name[FXT_I_NAME_MAX + 1];
        char description[FXT_I_NAME_MAX + 1];
        fxt_i_copy_name(name, fxt_i_packet_name(packet->names, 2 * i));
        fxt_i_copy_name(description, fxt_i_packet_name(packet->names, 2 * i + 1));
        find(client, name, description);
    }
}

/* All clients share one question to a provider. A client does not wait for a question that was
   asked after its own: then the provider had already answered before. Question numbers may wrap
   around. */
void fxt_i_clients_receive_categories(struct trace_manager *manager, uint32_t transaction,
                                      const struct fxt_i_packet *packet)
{
    struct fxt_i_client *next;

    for (struct fxt_i_client *it = manager->clients; it != NULL; it = next) {
        next = it->next;
        if (it->inquiry == 0 || it->inquiry_pending == 0 ||
            (int32_t)(transaction - it->inquiry_last) > 0)
            continue;
        if (packet != NULL)
            add_pairs(it, packet);
        if (--it->inquiry_pending == 0)
            answer_categories(it);
    }
}

static void ask_provider(struct fxt_i_provider *provider)
{
    struct fxt_i_packet packet = {.ordinal = FXT_I_GET_KNOWN_CATEGORIES};
    struct trace_manager *manager = provider->manager;

    packet.transaction = ++manager->last_inquiry;
    if (packet.transaction == 0)
        packet.transaction = ++manager->last_inquiry;
    if (fxt_i_provider_send(provider, &packet, NULL, NULL, 0))
        provider->asked = packet.transaction;
}

/* Returns how many providers will answer. A provider that has not answered an earlier question is
   not asked again. */
static uint32_t ask_providers(struct trace_manager *manager)
{
    uint32_t asked = 0;

    for (struct fxt_i_provider *it = manager->providers; it != NULL; it = it->next) {
        if (it->id != 0 && it->asked == 0)
            ask_provider(it);
        asked += it->asked != 0;
    }
    return asked;
}

void fxt_i_client_ask_categories(struct fxt_i_client *client, uint32_t transaction)
{
    const struct fxt_i_config *config = &client->manager->config;

    if (client->inquiry != 0) {
        fxt_i_client_done(client, transaction, TRACE_ERROR_STOPPING, 0, 0);
        return;
    }
    client->inquiry = transaction;
    for (size_t i = 0; i < config->category_count; i++)
        find(client, config->categories[i].name, config->categories[i].description);
    client->inquiry_pending = ask_providers(client->manager);
    client->inquiry_last = client->manager->last_inquiry;
    if (client->inquiry_pending == 0 ||
        !fxt_i_timer_begin(&client->inquiry_timer, client->manager->loop, CATEGORIES_MS,
                           on_inquiry_timeout, client))
        answer_categories(client);
}

void fxt_i_client_end_inquiry(struct fxt_i_client *client)
{
    fxt_i_timer_end(&client->inquiry_timer);
    free_found(client);
}
